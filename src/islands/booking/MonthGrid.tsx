import { useStore } from '@nanostores/react';
import {
  type ComponentProps,
  type KeyboardEvent as ReactKeyboardEvent,
  useEffect,
  useRef,
  useState,
} from 'react';
import { addYearMonths, toYearMonth } from '#domain/time/calendar_date.ts';
import { formatDayWithYear, formatMonth } from '#domain/time/format_time.ts';
import { dateForKey, isGridNavigationKey, weeksOfMonth } from '#domain/time/month_grid.ts';
import type { TimeChoice } from '#stores/time_choice.ts';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** A month, of which days with free times can be chosen. The Tab key stops at one day; arrow keys move between days. */
export function MonthGrid({ times }: { times: TimeChoice }) {
  const { firstMonth, lastMonth, today, conventions, showMonth } = times;
  const { firstWeekday } = conventions;
  const month = useStore(times.$month);
  const months = useStore(times.$months);
  const isLoading = useStore(times.$shownMonth).kind === 'loading';
  const choice = useStore(times.$chosenTime);
  const selectedDate = choice.kind === 'nothing' ? null : choice.date;
  // The day that has the keyboard focus, or had it last.
  const [lastFocused, setLastFocused] = useState<string | null>(null);
  const [hasFocus, setHasFocus] = useState(false);
  const focused = hasFocus ? lastFocused : null;
  const weeks = weeksOfMonth(month, firstWeekday);
  // Sunday has the ISO number 7, and the index 0 in `WEEKDAYS`.
  const weekdays = [...WEEKDAYS.slice(firstWeekday % 7), ...WEEKDAYS.slice(0, firstWeekday % 7)];
  const label = formatMonth(month);

  function isAvailable(date: string): boolean {
    const state = months[toYearMonth(date)];
    if (state?.kind === 'ready') return state.days.some((day) => day.date === date);
    // Arrow keys can reach days of another month that is not loaded yet.
    return toYearMonth(date) !== month && date >= today;
  }

  const canBeTabStop = (date: string | null) =>
    date !== null && toYearMonth(date) === month && (date === focused || isAvailable(date));
  const tabStop =
    [lastFocused, selectedDate, today].find(canBeTabStop) ?? weeks.flat().find(canBeTabStop);

  function onKeyDown(event: ReactKeyboardEvent, from: string): void {
    const key = event.shiftKey ? `Shift+${event.key}` : event.key;
    if (!isGridNavigationKey(key)) return;
    event.preventDefault();
    const date = dateForKey(key, from, {
      first: `${firstMonth}-01`,
      // Dates are compared as text, so this need not be a date.
      last: `${lastMonth}-31`,
      firstWeekday,
      isSelectable: isAvailable,
    });
    if (date === null) return;
    setLastFocused(date);
    if (toYearMonth(date) !== month) showMonth(toYearMonth(date));
  }

  const renderDay = (date: string) => (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a grid's cells are gridcells
    <td
      key={date}
      className="calendar-day"
      aria-selected={date === selectedDate || undefined}
      data-today={date === today || undefined}
    >
      <DayButton
        date={date}
        label={formatDayWithYear(`${date}T00:00:00Z`, 'UTC', conventions)}
        isToday={date === today}
        isSelected={date === selectedDate}
        isUnavailable={!isAvailable(date)}
        isFocused={date === focused}
        tabIndex={date === tabStop ? 0 : -1}
        onClick={() => times.chooseDay(date)}
        onFocus={() => {
          setLastFocused(date);
          setHasFocus(true);
        }}
        onBlur={() => setHasFocus(false)}
        onKeyDown={(event) => onKeyDown(event, date)}
      />
    </td>
  );

  return (
    <div className="calendar-month" data-loading={isLoading || undefined}>
      <MonthButton
        className="button calendar-previous"
        isDisabled={month <= firstMonth}
        onClick={() => showMonth(addYearMonths(month, -1))}
      >
        Previous
      </MonthButton>
      <div className="calendar-caption">
        <span role="status">{label}</span>
      </div>
      <MonthButton
        className="button calendar-next"
        isDisabled={month >= lastMonth}
        onClick={() => showMonth(addYearMonths(month, 1))}
      >
        Next
      </MonthButton>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: ARIA's grid of dates is a table
        role="grid"
        aria-label={label}
        className="calendar-days"
      >
        <WeekdayRow weekdays={weekdays} />
        <tbody>
          {weeks.map((week, index) => (
            <tr key={week.find((date) => date !== null) ?? index}>
              {week.map((date, weekday) =>
                date === null ? (
                  <td key={weekdays[weekday]} className="calendar-day" />
                ) : (
                  renderDay(date)
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Hidden from screen readers: the label of each day includes its weekday. */
function WeekdayRow({ weekdays }: { weekdays: readonly string[] }) {
  return (
    <thead aria-hidden="true">
      <tr>
        {weekdays.map((weekday) => (
          <th key={weekday} scope="col" className="calendar-weekday">
            {weekday.slice(0, 2)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface DayButtonProps extends ComponentProps<'button'> {
  date: string;
  label: string;
  isToday: boolean;
  isSelected: boolean;
  isUnavailable: boolean;
  isFocused: boolean;
}

function DayButton(props: DayButtonProps) {
  const { date, label, isToday, isSelected, isUnavailable, isFocused, onClick, ...attributes } =
    props;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFocused) button.current?.focus();
  }, [isFocused]);
  return (
    <button
      {...attributes}
      ref={button}
      type="button"
      data-unavailable={isUnavailable || undefined}
      // Includes the visible number, so that voice control finds the day by it.
      aria-label={`${isToday ? 'Today, ' : ''}${label}${isSelected ? ', selected' : ''}`}
      // Not disabled while focused, because a disabled button loses the keyboard focus.
      disabled={isUnavailable && !isFocused}
      aria-disabled={(isUnavailable && isFocused) || undefined}
      onClick={(event) => {
        // Safari does not focus a button on click.
        event.currentTarget.focus();
        if (!isUnavailable) onClick?.(event);
      }}
    >
      {Number(date.slice(8))}
    </button>
  );
}

interface MonthButtonProps extends ComponentProps<'button'> {
  isDisabled: boolean;
}

function MonthButton({ isDisabled, onClick, ...attributes }: MonthButtonProps) {
  return (
    <button
      {...attributes}
      type="button"
      tabIndex={isDisabled ? -1 : undefined}
      aria-disabled={isDisabled || undefined}
      onClick={isDisabled ? undefined : onClick}
    />
  );
}
