import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState } from 'react';
import type { Slot } from '#contract/availability.ts';
import { groupByPartOfDay } from '#domain/booking/suggested_slots.ts';
import { formatDay, formatTime, formatTimeRange } from '#domain/time/format_time.ts';
import type { TimeChoice } from '#stores/time_choice.ts';
import { scrollBehavior } from '../browser.ts';
import { OwnClockTime } from '../OwnClockTime.tsx';

/** How many open days are few. */
const MAX_LISTED_DAYS = 3;

/**
 * The free times of the chosen day, in the studio's time zone. A month with few open days lists them all before a
 * day is chosen. Only browsers render it.
 */
export function SlotPanel({ times, zoneName }: { times: TimeChoice; zoneName: string | null }) {
  const { zone, conventions } = times;
  const choice = useStore(times.$chosenTime);
  const slots = useStore(times.$slotsOfDay);
  const shownMonth = useStore(times.$shownMonth);
  const panel = useRef<HTMLDivElement>(null);
  const headingId = useId();
  const date = choice.kind === 'nothing' ? null : choice.date;
  const pickedDay = choice.kind === 'day' ? choice.date : null;
  const chosen = choice.kind === 'slot' ? choice : null;
  const openDays = shownMonth.kind === 'ready' ? shownMonth.days : [];
  const isFew = openDays.length > 0 && openDays.length <= MAX_LISTED_DAYS;
  // The day picked in the calendar, also once one of its times is chosen. A time picked in the list of days does not
  // change it: so the list stays, and nothing moves under the finger.
  const [openedDay, setOpenedDay] = useState(pickedDay);
  if (choice.kind !== 'slot' && openedDay !== pickedDay) setOpenedDay(pickedDay);
  const isListed =
    isFew && (date === null || (date !== openedDay && openDays.some((day) => day.date === date)));
  const chosenDay = date === null ? [] : [{ date, windows: slots }];
  const shownDays = isListed ? openDays : chosenDay;

  // On a phone the times are below the visible part of the page.
  useEffect(() => {
    if (pickedDay !== null)
      panel.current?.scrollIntoView({ block: 'nearest', behavior: scrollBehavior() });
  }, [pickedDay]);

  return (
    <div ref={panel} className="scroll-my-4">
      <h3 id={headingId} className="text-xl">
        {date === null || isListed ? 'Available times' : formatDay(date, conventions)}
      </h3>
      <p className="mt-1 text-muted">{`Time zone: ${zone.time_zone}`}</p>
      {zoneName !== null && <p className="text-sm text-muted">{zoneName}</p>}
      {date === null && !isListed && <p className="mt-4">Pick a day to see its times.</p>}
      {shownDays.map((day) => (
        <DayTimes key={day.date} times={times} {...day} headingId={isListed ? null : headingId} />
      ))}
      <div role="status" className="mt-4">
        {date !== null && !chosen && (
          <p className="sr-only">
            {`${formatDay(date, conventions)}: ${slots.length === 1 ? '1 time' : `${slots.length} times`}`}
          </p>
        )}
        {chosen && (
          <>
            <p className="font-semibold">
              {`Selected Time: ${formatTimeRange(chosen.start, chosen.end, zone, conventions)}`}
            </p>
            <OwnClockTime {...chosen} zone={zone} conventions={conventions} />
          </>
        )}
      </div>
    </div>
  );
}

interface DayTimesProps {
  times: TimeChoice;
  date: string;
  windows: readonly Slot[];
  /** The id of the heading above; null in a list, where each day has a heading of its own. */
  headingId: string | null;
}

/** The times of a day, by the part of the day. In a list of days, one tap chooses the day and the time. */
function DayTimes({ times, date, windows, headingId }: DayTimesProps) {
  const ownId = useId();
  if (windows.length === 0) return <p className="mt-4">No available times</p>;
  return (
    <div className="mt-4">
      {headingId === null && (
        <h4 id={ownId} className="mb-2 font-semibold">
          {formatDay(date, times.conventions)}
        </h4>
      )}
      <fieldset aria-labelledby={headingId ?? ownId} className="grid min-w-0 gap-3">
        {groupByPartOfDay(windows, times.zone).map((group) => (
          <div key={group.part}>
            <p className="text-sm font-semibold text-muted">{group.part}</p>
            <ul className="mt-1 grid grid-cols-2 gap-2 @lg:grid-cols-4">
              {group.slots.map((slot) => (
                <li key={slot.start}>
                  <SlotButton times={times} slot={slot} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </fieldset>
    </div>
  );
}

function SlotButton({ times, slot }: { times: TimeChoice; slot: Slot }) {
  const choice = useStore(times.$chosenTime);
  const isChosen = choice.kind === 'slot' && choice.start === slot.start;
  return (
    <button
      type="button"
      className={`button w-full px-1 tabular-nums ${isChosen ? 'button-main' : ''}`}
      aria-pressed={isChosen}
      onClick={() => times.chooseSlot(slot)}
    >
      {formatTime(slot.start, times.zone, times.conventions)}
    </button>
  );
}
