import {
  addPages,
  CALENDAR_VIEWS,
  type CalendarView,
  visibleDates,
} from '#domain/calendar_view.ts';
import { formatDayWithYear, formatMonth, toYearMonth } from '#domain/format_time.ts';
import { type LocalDate, localDateAt } from '#domain/time.ts';
import { showCalendar } from '#stores/studio/calendar.ts';
import { Icon } from '../Icon.tsx';

const VIEW_LABELS: Record<CalendarView, string> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  list: 'List',
};

interface CalendarToolbarProps {
  zone: string;
  page: { readonly view: CalendarView; readonly date: LocalDate };
  onAdd: () => void;
}

/** Turns pages, goes to today, chooses how much is shown. */
export function CalendarToolbar({ zone, page: { view, date }, onAdd }: CalendarToolbarProps) {
  const what = view === 'list' ? 'week' : view;
  const turn = (pages: number) => showCalendar({ date: addPages(view, date, pages) });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:flex lg:flex-wrap lg:items-center">
      <div className="flex items-center gap-2">
        <button
          type="button"
          className="button w-11 px-0"
          aria-label={`Previous ${what}`}
          onClick={() => turn(-1)}
        >
          <span aria-hidden="true">‹</span>
        </button>
        <button
          type="button"
          className="button w-11 px-0"
          aria-label={`Next ${what}`}
          onClick={() => turn(1)}
        >
          <span aria-hidden="true">›</span>
        </button>
        <button
          type="button"
          className="button px-3 sm:px-5"
          onClick={() => showCalendar({ date: localDateAt(zone, Date.now()) })}
        >
          Today
        </button>
        <button
          type="button"
          className="button button-main ml-auto px-3 sm:px-5 lg:hidden"
          onClick={onAdd}
        >
          <Icon name="plus" />
          Add
        </button>
      </div>
      <h2 className="text-xl sm:text-2xl lg:mr-auto lg:ml-2" aria-live="polite">
        {formatTitle(view, date)}
      </h2>
      <fieldset className="grid min-w-0 auto-cols-fr grid-flow-col rounded-lg border border-field p-0.5">
        <legend className="sr-only">View</legend>
        {CALENDAR_VIEWS.map((one) => (
          <button
            key={one}
            type="button"
            className="min-h-11 cursor-pointer rounded-md px-1 font-semibold sm:px-3 text-muted hover:text-ink aria-pressed:bg-ink aria-pressed:text-paper"
            aria-pressed={one === view}
            onClick={() => showCalendar({ view: one })}
          >
            {VIEW_LABELS[one]}
          </button>
        ))}
      </fieldset>
      <button type="button" className="button button-main max-lg:hidden" onClick={onAdd}>
        <Icon name="plus" />
        Add
      </button>
    </div>
  );
}

function formatTitle(view: CalendarView, date: LocalDate): string {
  if (view === 'day') return formatDayWithYear(`${date}T00:00:00Z`, 'UTC');
  if (view === 'month') return formatMonth(toYearMonth(date));
  const { first, last } = visibleDates(view, date);
  return new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
  })
    .formatRange(Date.parse(first), Date.parse(last))
    .replace(/[\u2009\u202f\u00a0]/g, ' ');
}
