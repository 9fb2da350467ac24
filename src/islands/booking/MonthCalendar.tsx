import { useStore } from '@nanostores/react';
import { useMemo } from 'react';
import { toYearMonth, type YearMonth } from '#domain/calendar_date.ts';
import { formatMonth } from '#domain/format_time.ts';
import type { Booking } from '#stores/booking.ts';
import { BusyButton } from '../forms/BusyButton.tsx';
import { Spinner } from '../Spinner.tsx';
import { MonthGrid } from './MonthGrid.tsx';
import '../../styles/calendar.css';

/** A month in the studio's time zone. Only days with free times can be chosen. */
export function MonthCalendar({ booking }: { booking: Booking }) {
  const month = useStore(booking.$month);
  const months = useStore(booking.$months);
  const shown = useStore(booking.$shownMonth);
  const choice = useStore(booking.$chosenSlot);
  const openDates = useMemo(() => {
    const days = Object.values(months).flatMap((state) =>
      state.kind === 'ready' ? state.days : [],
    );
    return new Set(days.map(({ date }) => date));
  }, [months]);

  function isUnavailable(date: string): boolean {
    const dayMonth = toYearMonth(date);
    // Arrow keys can reach days of a month that is not loaded yet.
    if (dayMonth !== month && months[dayMonth]?.kind !== 'ready') return date < booking.today;
    return !openDates.has(date);
  }

  return (
    <div aria-busy={shown.kind === 'loading'}>
      <MonthGrid
        month={month}
        firstMonth={booking.firstMonth}
        lastMonth={booking.lastMonth}
        today={booking.today}
        selectedDate={choice.kind === 'nothing' ? null : choice.date}
        isLoading={shown.kind === 'loading'}
        isUnavailable={isUnavailable}
        onSelectDate={booking.chooseDay}
        onMonthChange={booking.showMonth}
      />
      <MonthStatus booking={booking} month={month} />
    </div>
  );
}

/** The state of the month, and a button when it is empty or failed to load. */
function MonthStatus({ booking, month }: { booking: Booking; month: YearMonth }) {
  const shown = useStore(booking.$shownMonth);
  const search = useStore(booking.$monthSearch);
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
        {isEmpty && search === 'nothing' && (
          <p className="mt-1 text-muted">There are none in the six months after it either.</p>
        )}
        {shown.kind === 'failed' && (
          <p className="text-danger">The available days could not be loaded. {shown.text}</p>
        )}
      </div>
      {isEmpty && search !== 'nothing' && (
        <BusyButton
          className="button mt-3"
          busy={search === 'searching'}
          onClick={() => void booking.showNextOpenMonth()}
        >
          {search === 'searching' ? 'Looking…' : 'Show the next month with openings'}
        </BusyButton>
      )}
      {shown.kind === 'failed' && (
        <button type="button" className="button mt-3" onClick={booking.refresh}>
          Try again
        </button>
      )}
    </div>
  );
}
