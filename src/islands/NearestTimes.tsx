import type { Slot } from '#contract/availability.ts';
import { formatShortDayAndTime } from '#domain/format_time.ts';

interface NearestTimesProps {
  zone: string;
  times: readonly Slot[];
  onPick: (slot: Slot) => void;
}

/** Free times near to one that is taken, as buttons; nothing if there are none. */
export function NearestTimes({ zone, times, onPick }: NearestTimesProps) {
  if (times.length === 0) return null;
  return (
    <ul className="mt-3 flex flex-wrap gap-2">
      {times.map((slot) => (
        <li key={slot.start}>
          <button type="button" className="button tabular-nums" onClick={() => onPick(slot)}>
            {formatShortDayAndTime(slot.start, zone)}
          </button>
        </li>
      ))}
    </ul>
  );
}
