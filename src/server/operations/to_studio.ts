import type { Studio } from '#contract/artist.ts';
import type { Instant } from '#domain/time/time.ts';
import { listZoneOffsets } from '#domain/time/wall_clock.ts';

type StudioRow = Omit<Studio, 'name' | 'offsets'> & { studio_name: string };

/** Converts a row to the API's studio, without offsets. Mails use it as it is: the server writes their times. */
export function toStudio(row: StudioRow): Omit<Studio, 'offsets'> {
  const { studio_name: name, address_one, address_two, city, state, zip_code, time_zone } = row;
  return { name, address_one, address_two, city, state, zip_code, time_zone };
}

/** The instant of a field that may be empty. */
export type PossibleInstant = Instant | null | undefined;

/**
 * Converts a row to the API's studio, with the offsets that pages need to show times.
 * @param instants all instants of the response, at least one of which is not empty
 */
export function toStudioWithOffsets(row: StudioRow, instants: readonly PossibleInstant[]): Studio {
  return { ...toStudio(row), offsets: offsetsOf(row.time_zone, instants) };
}

/** The offsets that cover these instants. */
export function offsetsOf(zone: string, instants: readonly PossibleInstant[]): Studio['offsets'] {
  const known = instants.filter((instant) => typeof instant === 'number');
  return listZoneOffsets(zone, Math.min(...known), Math.max(...known));
}
