import type { Instant } from './time.ts';

/** How many free times are named in place of one that is taken. */
const MAX_NEAREST = 3;

/** The free times that start nearest to `start`, in the order of their starts. */
export function nearestSlots<Slot>(
  slots: readonly Slot[],
  startOf: (slot: Slot) => Instant,
  start: Instant,
): Slot[] {
  const distance = (slot: Slot) => Math.abs(startOf(slot) - start);
  return slots
    .toSorted((one, other) => distance(one) - distance(other))
    .slice(0, MAX_NEAREST)
    .sort((one, other) => startOf(one) - startOf(other));
}
