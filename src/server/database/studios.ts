/** The address of a studio, without `name`, which most queries rename. */
export const ADDRESS_COLUMNS = [
  'studios.address_one',
  'studios.address_two',
  'studios.city',
  'studios.state',
  'studios.zip_code',
  'studios.time_zone',
] as const;
