import { wallTimeAt } from '../time/format_time.ts';
import type { Zone } from '../time/zone_offsets.ts';

/** At most this many times are suggested. */
export const SUGGESTION_COUNT = 3;

/** A free time; `start` is RFC 3339. */
interface FreeTime {
  readonly start: string;
}

/** The soonest free time, and the first ones of the next days. If these are too few, later ones. */
export function suggestSlots<Slot extends FreeTime>(
  days: readonly { readonly windows: readonly Slot[] }[],
): Slot[] {
  const firstOfDays = days.flatMap(({ windows }) => windows.slice(0, 1));
  const others = days.flatMap(({ windows }) => windows.slice(1));
  return [...firstOfDays, ...others]
    .slice(0, SUGGESTION_COUNT)
    .sort((one, other) => Date.parse(one.start) - Date.parse(other.start));
}

const PARTS_OF_DAY = ['After midnight', 'Morning', 'Afternoon', 'Evening'] as const;
type PartOfDay = (typeof PARTS_OF_DAY)[number];
/** The hours at which the other parts of the day begin. */
const MORNING = 5;
const AFTERNOON = 12;
const EVENING = 17;

/** Free times by the part of the day, in the studio's zone; only parts with times. */
export function groupByPartOfDay<Slot extends FreeTime>(
  slots: readonly Slot[],
  zone: Zone,
): { readonly part: PartOfDay; readonly slots: readonly Slot[] }[] {
  const partOf = ({ start }: Slot): PartOfDay => {
    const hour = Number(wallTimeAt(zone, start).slice(0, 2));
    if (hour < MORNING) return 'After midnight';
    if (hour < AFTERNOON) return 'Morning';
    return hour < EVENING ? 'Afternoon' : 'Evening';
  };
  const parts = slots.map(partOf);
  return PARTS_OF_DAY.map((part) => ({
    part,
    slots: slots.filter((_, index) => parts[index] === part),
  })).filter(({ slots: found }) => found.length > 0);
}
