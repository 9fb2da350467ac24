import { useStore } from '@nanostores/react';
import { formatShortDayAndTime } from '#domain/format_time.ts';
import type { TimeChoice } from '#stores/time_choice.ts';

/** The soonest free times, each chosen at one tap; nothing while none are known. */
export function SoonestTimes({ times }: { times: TimeChoice }) {
  const suggestions = useStore(times.$suggestions);
  const choice = useStore(times.$chosenTime);
  if (suggestions.length === 0) return null;
  return (
    <ul aria-label="Soonest times" className="flex flex-wrap gap-2">
      {suggestions.map((slot, index) => {
        const isChosen = choice.kind === 'slot' && choice.start === slot.start;
        const time = formatShortDayAndTime(slot.start, times.zone, times.conventions);
        return (
          <li key={slot.start}>
            <button
              type="button"
              className={`button px-3 tabular-nums ${isChosen ? 'button-main' : ''}`}
              aria-pressed={isChosen}
              onClick={() => times.chooseInAnyMonth(slot)}
            >
              {index === 0 ? `Soonest: ${time}` : time}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
