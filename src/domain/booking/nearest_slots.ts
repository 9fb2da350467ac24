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
  const distance = (slot: Slot) => Math.abs(toMs(slot.start) - toMs(start));
  const nearest = [...slots].sort((a, b) => distance(a) - distance(b)).slice(0, MAX_NEAREST);
  return nearest.sort((a, b) => toMs(a.start) - toMs(b.start));
}

function toMs(start: FreeTime['start']): number {
  return new Date(start).getTime();
}
