import type { Slot } from '#contract/availability.ts';
import type { DateConventions } from '#domain/time/date_conventions.ts';
import { formatShortDayAndTime } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';

/** Why the client must pick a time, and free times near to one that is taken. */
export interface TimeNotice {
  readonly text: string;
  readonly nearest: readonly Slot[];
}

/** Says that a time is taken. @param start the taken time's */
export function takenTimeNotice(
  start: string,
  zone: StudioZone,
  conventions: DateConventions,
  nearest: readonly Slot[],
): TimeNotice {
  const offer = nearest.length > 0 ? 'Free times near it:' : 'No free times near it.';
  const time = formatShortDayAndTime(start, zone, conventions);
  return { text: `${time} is taken. ${offer}`, nearest };
}
