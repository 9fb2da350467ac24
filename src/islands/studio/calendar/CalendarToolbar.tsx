import type { CurrentArtist } from '#contract/artist.ts';
import {
  addPages,
  CALENDAR_VIEWS,
  type CalendarView,
  visibleDates,
} from '#domain/appointments/calendar_view.ts';
import { type LocalDate, toYearMonth } from '#domain/time/calendar_date.ts';
import { formatDayWithYear, formatMonth } from '#domain/time/format_time.ts';
import { type CalendarPage, showCalendar, todayIn } from '#stores/studio/calendar.ts';
import { Button } from '../buttons.tsx';
import { TurnButtons } from '../TurnButtons.tsx';

/** On a wide screen the button is at the end; else it is beside those that turn the calendar. */
const ADD_BUTTON = { label: 'Add', icon: 'plus', look: 'main' } as const;
const VIEW_LABELS = { day: 'Day', week: 'Week', month: 'Month', list: 'List' };

interface CalendarToolbarProps {
  me: CurrentArtist;
  page: CalendarPage;
  onAdd: () => void;
}

/** The buttons that turn the calendar, choose its view and add an entry, with the visible dates. */
export function CalendarToolbar({ me, page: { view, date }, onAdd }: CalendarToolbarProps) {
  const unit = view === 'list' ? 'week' : view;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:flex lg:flex-wrap lg:items-center">
      <div className="flex flex-wrap items-center gap-2">
        <TurnButtons
          unit={unit}
          onTurn={(pages) => showCalendar({ date: addPages(view, date, pages) })}
        />
        <Button
          label="Today"
          className="px-3 sm:px-5"
          onClick={() => showCalendar({ date: todayIn(view, me) })}
        />
        <Button {...ADD_BUTTON} className="ml-auto px-3 sm:px-5 lg:hidden" onClick={onAdd} />
      </div>
      <h2 className="text-xl sm:text-2xl lg:mr-auto lg:ml-2" aria-live="polite">
        {formatTitle(view, date)}
      </h2>
      <fieldset className="grid min-w-0 auto-cols-fr grid-flow-col rounded-lg border border-field p-0.5">
        <legend className="sr-only">View</legend>
        {CALENDAR_VIEWS.map((option) => (
          <button
            key={option}
            type="button"
            className="min-h-11 cursor-pointer rounded-md px-1 font-semibold sm:px-3 text-muted hover:text-ink aria-pressed:bg-ink aria-pressed:text-paper"
            aria-pressed={option === view}
            onClick={() => showCalendar({ view: option })}
          >
            {VIEW_LABELS[option]}
          </button>
        ))}
      </fieldset>
      <Button {...ADD_BUTTON} className="max-lg:hidden" onClick={onAdd} />
    </div>
  );
}

function formatTitle(view: CalendarView, date: LocalDate): string {
  if (view === 'day') return formatDayWithYear(date, 'UTC');
  if (view === 'month') return formatMonth(toYearMonth(date));
  const { first, last } = visibleDates(view, date);
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
  // Browsers write different kinds of spaces here.
  return format
    .formatRange(Date.parse(first), Date.parse(last))
    .replace(/[\u2009\u202f\u00a0]/g, ' ');
}
