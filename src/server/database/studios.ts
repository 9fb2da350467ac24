/** Where a place is; its name goes by another word beside an artist's. */
export const ADDRESS_COLUMNS = [
  'places.address_one',
  'places.address_two',
  'places.city',
  'places.state',
  'places.zip_code',
  'places.time_zone',
] as const;
