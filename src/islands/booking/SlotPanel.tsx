import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef } from 'react';
import { formatDay, formatTime, formatTimeRange } from '#domain/format_time.ts';
import type { Booking } from '#stores/booking.ts';
import { OwnClockTime } from '../OwnClockTime.tsx';

/** The free times of the chosen day, in the studio's time zone. */
export function SlotPanel({ booking }: { booking: Booking }) {
  const { zone } = booking;
  const choice = useStore(booking.$chosenSlot);
  const slots = useStore(booking.$slotsOfDay);
  const panel = useRef<HTMLDivElement>(null);
  const headingId = useId();
  const date = choice.kind === 'nothing' ? null : choice.date;
  const chosen = choice.kind === 'slot' ? choice : null;

  // On a phone the times are below the visible part of the page.
  useEffect(() => {
    if (date !== null) panel.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [date]);

  return (
    <div ref={panel} className="scroll-my-4">
      <h3 id={headingId} className="text-xl">
        {date === null ? 'Available times' : formatDay(date)}
      </h3>
      <p className="mt-1 text-muted">{`Time zone: ${zone}`}</p>
      {date === null ? (
        <p className="mt-4">Pick a day to see its times.</p>
      ) : (
        <fieldset aria-labelledby={headingId} className="mt-4 min-w-0">
          {slots.length === 0 ? (
            <p>No available times</p>
          ) : (
            <ul className="grid grid-cols-2 gap-2 md:grid-cols-4">
              {slots.map((slot) => (
                <li key={slot.start}>
                  <button
                    type="button"
                    className={`button w-full px-1 whitespace-nowrap tabular-nums ${
                      slot.start === chosen?.start ? 'button-main' : ''
                    }`}
                    aria-pressed={slot.start === chosen?.start}
                    onClick={() => booking.chooseSlot(slot)}
                  >
                    {formatTime(slot.start, zone)}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </fieldset>
      )}
      <div role="status" className="mt-4">
        {date !== null && !chosen && (
          <p className="sr-only">
            {`${formatDay(date)}: ${slots.length === 1 ? '1 time' : `${slots.length} times`}`}
          </p>
        )}
        {chosen && (
          <>
            <p className="font-semibold">
              {`Selected Time: ${formatTimeRange(chosen.start, chosen.end, zone)}`}
            </p>
            <OwnClockTime {...chosen} zone={zone} />
          </>
        )}
      </div>
    </div>
  );
}
