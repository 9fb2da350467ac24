import { useStore } from '@nanostores/react';
import { useMemo } from 'react';
import { formatMonth, toYearMonth, type YearMonth } from '#domain/format_time.ts';
import type { Booking } from '#stores/booking.ts';
import { Spinner } from '../Spinner.tsx';
import { MonthGrid } from './MonthGrid.tsx';
import '../../styles/calendar.css';

/** The studio's month: only days with openings can be picked. */
export function MonthCalendar({ booking }: { booking: Booking }) {
  const month = useStore(booking.$month);
  const months = useStore(booking.$months);
  const shown = useStore(booking.$shownMonth);
  const pick = useStore(booking.$chosenSlot);
  const open = useMemo(
    () =>
      new Set(
        Object.values(months).flatMap((state) =>
          state.kind === 'ready' ? state.days.map((day) => day.date) : [],
        ),
      ),
    [months],
  );

  function isClosed(date: string): boolean {
    const dayMonth = toYearMonth(date);
    // Days of a month not loaded yet stay reachable, so that arrow keys can lead there.
    if (dayMonth !== month && months[dayMonth]?.kind !== 'ready') return date < booking.today;
    return !open.has(date);
  }

  return (
    <div aria-busy={shown.kind === 'loading'}>
      <div className="calendar" data-loading={shown.kind === 'loading' || undefined}>
        <MonthGrid
          month={month}
          firstMonth={booking.firstMonth}
          lastMonth={booking.lastMonth}
          today={booking.today}
          selectedDate={pick.kind === 'nothing' ? null : pick.date}
          isUnavailable={isClosed}
          onSelectDate={booking.chooseDay}
          onMonthChange={booking.showMonth}
        />
      </div>
      <MonthStatus booking={booking} month={month} />
    </div>
  );
}

/** What there is to say about the shown month, and a way on where it has nothing. */
function MonthStatus({ booking, month }: { booking: Booking; month: YearMonth }) {
  const shown = useStore(booking.$shownMonth);
  const lookAhead = useStore(booking.$monthSearch);
  const isEmpty = shown.kind === 'ready' && shown.days.length === 0;
  const label = formatMonth(month);
  return (
    <div className="mt-3 min-h-7">
      <div role="status">
        {shown.kind === 'loading' && (
          <p className="flex items-center gap-2 text-muted">
            <Spinner />
            Loading {label}…
          </p>
        )}
        {shown.kind === 'ready' && !isEmpty && (
          <p className="sr-only">
            {shown.days.length === 1 ? '1 day' : `${shown.days.length} days`} with available times
            in {label}.
          </p>
        )}
        {isEmpty && <p className="font-semibold">No available days in {label}.</p>}
        {isEmpty && lookAhead.kind === 'nothing' && (
          <p className="mt-1 text-muted">There are none in the six months after it either.</p>
        )}
        {shown.kind === 'failed' && (
          <p className="text-danger">The available days could not be loaded. {shown.text}</p>
        )}
      </div>
      {isEmpty && lookAhead.kind !== 'nothing' && (
        <button
          type="button"
          className="button mt-3"
          aria-disabled={lookAhead.kind === 'searching' || undefined}
          onClick={() => void booking.showNextOpenMonth()}
        >
          {lookAhead.kind === 'searching' && <Spinner />}
          {lookAhead.kind === 'searching' ? 'Looking…' : 'Show the next month with openings'}
        </button>
      )}
      {shown.kind === 'failed' && (
        <button type="button" className="button mt-3" onClick={booking.refresh}>
          Try again
        </button>
      )}
    </div>
  );
}
