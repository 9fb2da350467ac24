import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef } from 'react';
import type { Slot } from '#contract/availability.ts';
import {
  formatDay,
  formatDayWithYear,
  formatTime,
  formatTimeRange,
  isSameWallTime,
} from '#domain/format_time.ts';
import type { Booking } from '#stores/booking.ts';
import { browserTimeZone } from '../browser.ts';

interface SlotPanelProps {
  booking: Booking;
  zone: string;
}

/** The start times of the picked day, on the studio's clock. */
export function SlotPanel({ booking, zone }: SlotPanelProps) {
  const pick = useStore(booking.$chosenSlot);
  const windows = useStore(booking.$slotsOfDay);
  const panel = useRef<HTMLDivElement>(null);
  const headingId = useId();
  const date = pick.kind === 'nothing' ? null : pick.date;
  const picked = pick.kind === 'slot' ? pick.slot : null;

  // On a phone the times are below the fold of the month just tapped.
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
          {windows.length === 0 ? (
            <p>No available times</p>
          ) : (
            <ul className="grid grid-cols-2 gap-2 md:grid-cols-4">
              {windows.map((window) => (
                <li key={window.start}>
                  <button
                    type="button"
                    className={`button w-full px-1 whitespace-nowrap tabular-nums ${
                      window.start === picked?.start ? 'button-main' : ''
                    }`}
                    aria-pressed={window.start === picked?.start}
                    onClick={() => booking.chooseSlot(window)}
                  >
                    {formatTime(window.start, zone)}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </fieldset>
      )}
      <div role="status" className="mt-4">
        {date !== null && !picked && (
          <p className="sr-only">
            {formatDay(date)}: {windows.length === 1 ? '1 time' : `${windows.length} times`}
          </p>
        )}
        {picked && <SelectedTime slot={picked} zone={zone} />}
      </div>
    </div>
  );
}

function SelectedTime({ slot, zone }: { slot: Slot; zone: string }) {
  const own = browserTimeZone();
  return (
    <>
      <p className="font-semibold">{`Selected Time: ${formatTimeRange(slot.start, slot.end, zone)}`}</p>
      {!isSameWallTime(zone, own, slot.start) && (
        <p className="mt-1 text-muted">
          On your clock: {formatDayWithYear(slot.start, own)},{' '}
          {formatTimeRange(slot.start, slot.end, own)} ({own})
        </p>
      )}
    </>
  );
}
