import { useStore } from '@nanostores/react';
import { useMemo } from 'react';
import {
  type ClassNames,
  DayPicker,
  type Labels,
  type NextMonthButtonProps,
  type PreviousMonthButtonProps,
} from 'react-day-picker';
import { dayAndYear, type Month, monthLabel, monthOf } from '#domain/show_time.ts';
import type { Booking } from '#stores/booking.ts';
import { Spinner } from '../Spinner.tsx';
import '../../styles/calendar.css';

const CLASSES: Partial<ClassNames> = {
  root: 'calendar',
  month: 'calendar-month',
  month_caption: 'calendar-caption',
  button_previous: 'button calendar-previous',
  button_next: 'button calendar-next',
  month_grid: 'calendar-days',
  weekday: 'calendar-weekday',
  day: 'calendar-day',
  disabled: 'calendar-day-closed',
  today: 'calendar-day-today',
  selected: 'calendar-day-picked',
};

/** A day's name holds its number as it is shown. */
const LABELS: Partial<Labels> = {
  labelDayButton: (day, { today, selected }) =>
    `${today ? 'Today, ' : ''}${dayAndYear(`${dateOf(day)}T00:00:00Z`, 'UTC')}${selected ? ', selected' : ''}`,
};

const PARTS = { PreviousMonthButton, NextMonthButton };

/** The studio's month: only days with openings can be picked. */
export function MonthCalendar({ booking }: { booking: Booking }) {
  const month = useStore(booking.$month);
  const months = useStore(booking.$months);
  const shown = useStore(booking.$shownMonth);
  const pick = useStore(booking.$pick);
  const open = useMemo(
    () =>
      new Set(
        Object.values(months).flatMap((state) =>
          state.kind === 'ready' ? state.days.map((day) => day.date) : [],
        ),
      ),
    [months],
  );

  function isClosed(day: Date): boolean {
    const date = dateOf(day);
    const dayMonth = monthOf(date);
    // Days of a month not loaded yet stay reachable, so that arrow keys can lead there.
    if (dayMonth !== month && months[dayMonth]?.kind !== 'ready') return date < booking.today;
    return !open.has(date);
  }

  return (
    <div aria-busy={shown.kind === 'loading'}>
      <DayPicker
        mode="single"
        required
        navLayout="around"
        weekStartsOn={0}
        month={dayAt(`${month}-01`)}
        startMonth={dayAt(`${booking.firstMonth}-01`)}
        endMonth={dayAt(`${booking.lastMonth}-01`)}
        today={dayAt(booking.today)}
        selected={pick.kind === 'nothing' ? undefined : dayAt(pick.date)}
        disabled={isClosed}
        onSelect={(day) => booking.pickDay(dateOf(day))}
        onMonthChange={(first) => booking.showMonth(monthOf(dateOf(first)))}
        classNames={CLASSES}
        components={PARTS}
        labels={LABELS}
        data-loading={shown.kind === 'loading' || undefined}
      />
      <MonthState booking={booking} month={month} />
    </div>
  );
}

/** What there is to say about the shown month, and a way on where it has nothing. */
function MonthState({ booking, month }: { booking: Booking; month: Month }) {
  const shown = useStore(booking.$shownMonth);
  const lookAhead = useStore(booking.$lookAhead);
  const isEmpty = shown.kind === 'ready' && shown.days.length === 0;
  const label = monthLabel(month);
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
          onClick={() => void booking.findOpening()}
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

// The words are the buttons' names.
function PreviousMonthButton(button: PreviousMonthButtonProps) {
  return (
    <button {...button} aria-label={undefined}>
      Previous
    </button>
  );
}

function NextMonthButton(button: NextMonthButtonProps) {
  return (
    <button {...button} aria-label={undefined}>
      Next
    </button>
  );
}

/** Noon of the date on the browser's own clock, as the picker counts; every zone has a noon. */
function dayAt(date: string): Date {
  return new Date(`${date}T12:00:00`);
}

function dateOf(day: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
