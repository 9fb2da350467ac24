/** The address of a studio (table `places`), without `name`, which most queries rename. */
export const ADDRESS_COLUMNS = [
  'places.address_one',
  'places.address_two',
  'places.city',
  'places.state',
  'places.zip_code',
  'places.time_zone',
] as const;
