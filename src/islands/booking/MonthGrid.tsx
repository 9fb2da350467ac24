import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useRef, useState } from 'react';
import {
  addYearMonths,
  formatDayWithYear,
  formatMonth,
  toYearMonth,
  type YearMonth,
} from '#domain/format_time.ts';
import { dateForKey, isGridNavigationKey, weeksOfMonth } from '#domain/month_grid.ts';

const WEEKDAYS_FROM_SUNDAY = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
];

interface MonthGridProps {
  month: YearMonth;
  /** The first and the last month that can be shown. */
  firstMonth: YearMonth;
  lastMonth: YearMonth;
  today: string;
  selectedDate: string | null;
  isUnavailable: (date: string) => boolean;
  onSelectDate: (date: string) => void;
  onMonthChange: (month: YearMonth) => void;
}

/** A month of days with one stop for the Tab key; arrow keys lead on, also to other months. */
export function MonthGrid(props: MonthGridProps) {
  const {
    month,
    firstMonth,
    lastMonth,
    today,
    selectedDate: picked,
    isUnavailable: isClosed,
    onSelectDate: onPick,
    onMonthChange: onMonth,
  } = props;
  // Where the keyboard is or, once it has left the grid, was.
  const [place, setPlace] = useState<string | null>(null);
  const [isInside, setIsInside] = useState(false);
  const focused = isInside ? place : null;
  const weeks = weeksOfMonth(month);
  const label = formatMonth(month);

  const isOpen = (date: string) => !isClosed(date);
  const isStop = (date: string | null) =>
    date !== null && toYearMonth(date) === month && (date === focused || isOpen(date));
  const stop =
    [place, picked, today].find(isStop) ??
    weeks.flat().find((date) => date !== null && isOpen(date));

  function onKeyDown(event: ReactKeyboardEvent, from: string): void {
    const key = event.shiftKey ? `Shift+${event.key}` : event.key;
    if (!isGridNavigationKey(key)) return;
    event.preventDefault();
    const days = { first: `${firstMonth}-01`, last: `${lastMonth}-31`, isSelectable: isOpen };
    const date = dateForKey(key, from, days);
    if (date === null) return;
    setPlace(date);
    if (toYearMonth(date) !== month) onMonth(toYearMonth(date));
  }

  return (
    <div className="calendar-month">
      <MonthButton
        label="Previous"
        className="button calendar-previous"
        isDisabled={month <= firstMonth}
        onClick={() => onMonth(addYearMonths(month, -1))}
      />
      <div className="calendar-caption">
        <span role="status">{label}</span>
      </div>
      <MonthButton
        label="Next"
        className="button calendar-next"
        isDisabled={month >= lastMonth}
        onClick={() => onMonth(addYearMonths(month, 1))}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: ARIA's grid of dates is a table */}
      <table role="grid" aria-label={label} className="calendar-days">
        {/* A day's name holds its weekday. */}
        <thead aria-hidden="true">
          <tr>
            {WEEKDAYS_FROM_SUNDAY.map((weekday) => (
              <th key={weekday} scope="col" className="calendar-weekday">
                {weekday.slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week, index) => (
            <tr key={week.find((date) => date !== null) ?? index}>
              {week.map((date, weekday) =>
                date === null ? (
                  <td key={WEEKDAYS_FROM_SUNDAY[weekday]} className="calendar-day" />
                ) : (
                  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a grid's cells are gridcells
                  <td
                    key={date}
                    className={dayClassName(isClosed(date), date === today, date === picked)}
                    aria-selected={date === picked || undefined}
                    data-today={date === today || undefined}
                  >
                    <DayButton
                      date={date}
                      label={dayLabel(date, date === today, date === picked)}
                      isUnavailable={isClosed(date)}
                      isFocused={date === focused}
                      isTabStop={date === stop}
                      onSelect={() => onPick(date)}
                      onFocus={() => {
                        setPlace(date);
                        setIsInside(true);
                      }}
                      onBlur={() => setIsInside(false)}
                      onKeyDown={(event) => onKeyDown(event, date)}
                    />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface DayButtonProps {
  date: string;
  label: string;
  isUnavailable: boolean;
  isFocused: boolean;
  isTabStop: boolean;
  onSelect: () => void;
  onFocus: () => void;
  onBlur: () => void;
  onKeyDown: (event: ReactKeyboardEvent) => void;
}

function DayButton({
  date,
  label: name,
  isUnavailable: isClosed,
  isFocused,
  isTabStop: isStop,
  onSelect: onPick,
  ...on
}: DayButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isFocused) button.current?.focus();
  }, [isFocused]);
  return (
    <button
      {...on}
      ref={button}
      type="button"
      tabIndex={isStop ? 0 : -1}
      aria-label={name}
      // One that has the focus only says so: disabled, it would lose the keyboard's place.
      disabled={isClosed && !isFocused}
      aria-disabled={(isClosed && isFocused) || undefined}
      onClick={(event) => {
        // Not every browser moves the focus to a button that is clicked.
        event.currentTarget.focus();
        if (!isClosed) onPick();
      }}
    >
      {Number(date.slice(8))}
    </button>
  );
}

interface MonthButtonProps {
  label: string;
  className: string;
  isDisabled: boolean;
  onClick: () => void;
}

function MonthButton({
  label: words,
  className,
  isDisabled: isEnd,
  onClick: onPress,
}: MonthButtonProps) {
  return (
    <button
      type="button"
      className={className}
      tabIndex={isEnd ? -1 : undefined}
      aria-disabled={isEnd || undefined}
      onClick={() => !isEnd && onPress()}
    >
      {words}
    </button>
  );
}

function dayClassName(isClosed: boolean, isToday: boolean, isPicked: boolean): string {
  const marks = [
    isClosed && 'calendar-day-closed',
    isToday && 'calendar-day-today',
    isPicked && 'calendar-day-picked',
  ];
  return ['calendar-day', ...marks].filter((mark) => mark !== false).join(' ');
}

/** A day's name holds its number as it is shown. */
function dayLabel(date: string, isToday: boolean, isPicked: boolean): string {
  const day = formatDayWithYear(`${date}T00:00:00Z`, 'UTC');
  return `${isToday ? 'Today, ' : ''}${day}${isPicked ? ', selected' : ''}`;
}
