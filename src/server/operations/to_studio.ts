import type { Studio } from '#contract/artist.ts';

/** A studio as everyone sees it. */
export function toStudio(row: Omit<Studio, 'name'> & { studio_name: string }): Studio {
  return {
    name: row.studio_name,
    address_one: row.address_one,
    address_two: row.address_two,
    city: row.city,
    state: row.state,
    zip_code: row.zip_code,
    time_zone: row.time_zone,
  };
}
