import type { Studio } from '#contract/artist.ts';

export function toStudio(row: Omit<Studio, 'name'> & { studio_name: string }): Studio {
  const { studio_name: name, address_one, address_two, city, state, zip_code, time_zone } = row;
  return { name, address_one, address_two, city, state, zip_code, time_zone };
}
