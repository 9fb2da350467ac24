import type { Slot } from '#contract/availability.ts';
import { formatShortDayAndTime } from '#domain/format_time.ts';

/** Why the client must pick a time, and free times near to one that is taken. */
export interface TimeNotice {
  readonly text: string;
  readonly nearest: readonly Slot[];
}

/** Offers free times near to one that is taken. A toast has said that it is taken. */
export function takenTimeNotice(start: string, zone: string, nearest: readonly Slot[]): TimeNotice {
  const time = formatShortDayAndTime(start, zone);
  const text = nearest.length > 0 ? `Free times near ${time}:` : `No free times near ${time}.`;
  return { text, nearest };
}
