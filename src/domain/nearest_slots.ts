/** How many free times are named in place of one that is taken. */
const MAX_NEAREST = 3;

/** A free time; `start` is an instant, or RFC 3339. */
interface FreeTime {
  readonly start: number | string;
}

/** The free times that start nearest to `start`, in the order of their starts. */
export function nearestSlots<Slot extends FreeTime>(
  slots: readonly Slot[],
  start: FreeTime['start'],
): Slot[] {
  const byDistanceTo = (from: number) => (one: Slot, other: Slot) =>
    Math.abs(toMs(one.start) - from) - Math.abs(toMs(other.start) - from);
  const nearest = [...slots].sort(byDistanceTo(toMs(start))).slice(0, MAX_NEAREST);
  return nearest.sort(byDistanceTo(0));
}

function toMs(start: FreeTime['start']): number {
  return new Date(start).getTime();
}
