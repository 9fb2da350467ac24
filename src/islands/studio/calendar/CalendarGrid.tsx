import FullCalendar, { type EventChangeInfo, type EventInput } from '@fullcalendar/react';
import dayGrid from '@fullcalendar/react/daygrid';
import interaction from '@fullcalendar/react/interaction';
import list from '@fullcalendar/react/list';
import classic from '@fullcalendar/react/themes/classic';
import timeGrid from '@fullcalendar/react/timegrid';
import { useMemo } from 'react';
import '@fullcalendar/react/skeleton.css';
import '@fullcalendar/react/themes/classic/theme.css';
import '../../../styles/studio_calendar.css';
import type { CurrentArtist } from '#contract/artist.ts';
import { occupiesCalendar } from '#domain/appointment.ts';
import { closedTimeRanges, type DayKind, dayKindOn } from '#domain/availability_preview.ts';
import { type CalendarView, visibleDates, visibleHours } from '#domain/calendar_view.ts';
import { formatWallTime } from '#domain/opening_hours.ts';
import { addDays, type LocalDate, toRfc3339 } from '#domain/time.ts';
import { type CalendarItem, moveAppointment } from '#stores/studio/calendar.ts';
import { EntryText } from './EntryText.tsx';
import type { SelectedDays } from './selected_days.ts';

const PLUGINS = [classic, dayGrid, timeGrid, list, interaction];
const FULLCALENDAR_VIEWS: Record<CalendarView, string> = {
  day: 'timeGridDay',
  week: 'timeGridWeek',
  month: 'dayGridMonth',
  list: 'listWeek',
};
const DAY_KIND_LABELS: Record<DayKind, string> = {
  open: '',
  own: 'Other hours',
  closed: 'Closed',
  off: 'Day off',
};
const SNAP_MINUTES = 15;

interface CalendarGridProps {
  me: CurrentArtist;
  page: { readonly view: CalendarView; readonly date: LocalDate };
  entries: readonly CalendarItem[];
  onEntryClick: (id: string) => void;
  onSelectDates: (place: SelectedDays) => void;
}

/** The library's calendar, told about our days. */
export function CalendarGrid({
  me,
  page,
  entries,
  onEntryClick: onEntry,
  onSelectDates: onPlace,
}: CalendarGridProps) {
  const { schedule } = me;
  const zone = me.studio.time_zone;
  const { view, date } = page;
  const dates = visibleDates(view, date);
  const hours = visibleHours(schedule, zone, dates, entries);
  const events = useMemo(
    () => [
      ...entries.map(toEvent),
      ...(view === 'day' || view === 'week' ? toBackgroundEvents(me, view, date, entries) : []),
    ],
    [entries, me, view, date],
  );

  async function move({ event, revert }: EventChangeInfo): Promise<void> {
    const entry = entries.find(({ id }) => id === event.id);
    const { start, end } = event;
    if (!entry || start === null) return revert();
    const to = {
      start: start.getTime(),
      end: end?.getTime() ?? start.getTime() + (entry.end - entry.start),
    };
    if (!(await moveAppointment(entry.appointment, to))) revert();
  }

  return (
    <div className="studio-calendar" data-view={view}>
      <FullCalendar
        plugins={PLUGINS}
        timeZone={zone}
        initialView={FULLCALENDAR_VIEWS[view]}
        initialDate={date}
        headerToolbar={false}
        height="auto"
        firstDay={0}
        locale="en-US"
        nowIndicator
        allDaySlot={false}
        slotMinTime={formatWallTime(hours.start)}
        slotMaxTime={formatWallTime(hours.end)}
        slotDuration="00:30"
        slotMinHeight={26}
        slotHeaderInnerClass="hour-name"
        dayHeaders={view !== 'day'}
        snapDuration={{ minutes: SNAP_MINUTES }}
        eventMinHeight={28}
        dayMaxEvents={3}
        eventOverlap
        slotEventOverlap={false}
        noEventsText="No appointments in this week."
        events={events}
        eventDisplay="block"
        eventInnerClass="entry-inner"
        listItemEventBeforeClass="entry-dot"
        fillerClass="calendar-filler"
        eventContent={({ event, isMirror, isShort }) => {
          const entry = entries.find(({ id }) => id === event.id);
          return entry ? (
            <EntryText
              entry={entry}
              zone={zone}
              layout={isShort || view === 'month' ? 'line' : 'full'}
              start={isMirror ? (event.start?.getTime() ?? entry.start) : entry.start}
            />
          ) : null;
        }}
        eventClick={({ event }) => onEntry(event.id)}
        eventDrop={(info) => void move(info)}
        eventResize={(info) => void move(info)}
        selectable
        selectMinDistance={8}
        dateClick={({ date: at, dateStr, allDay }) => {
          const first = dateStr.slice(0, 10);
          onPlace({ first, last: first, start: allDay ? null : at.getTime() });
        }}
        select={({ start, startStr, endStr, allDay }) => {
          const first = startStr.slice(0, 10);
          // The library's end is the first day after.
          const last = allDay ? addDays(endStr.slice(0, 10), -1) : first;
          onPlace({ first, last, start: allDay ? null : start.getTime() });
        }}
        dayHeaderInnerClass="day-head"
        dayHeaderContent={({ date: day, text }) => (
          <DayHeading
            text={view === 'week' ? formatDayHeader(text, day) : text}
            word={view === 'month' ? '' : dayKindLabel(schedule, toLocalDate(day))}
          />
        )}
        dayCellTopContent={({ date: day, dayNumberText }) => (
          <DayHeading text={dayNumberText} word={dayKindLabel(schedule, toLocalDate(day))} />
        )}
        dayCellClass={({ date: day }) => `kind-${dayKindOn(schedule, toLocalDate(day))}`}
      />
    </div>
  );
}

/** On a phone the library names only the day of the week. */
function formatDayHeader(text: string, day: Date): string {
  return /\d/.test(text) ? text : `${text} ${day.getUTCDate()}`;
}

function DayHeading({ text, word }: { text: string; word: string }) {
  return (
    <span className="day-name">
      <span>{text}</span>
      {word !== '' && <span className="day-word">{word}</span>}
    </span>
  );
}

function dayKindLabel(schedule: CurrentArtist['schedule'], date: LocalDate): string {
  return DAY_KIND_LABELS[dayKindOn(schedule, date)];
}

function toEvent({ id, start, end, canMove, appointment }: CalendarItem): EventInput {
  return {
    id,
    title: appointment.client.first_name ?? 'Appointment',
    start: toRfc3339(start),
    end: toRfc3339(end),
    editable: canMove,
    className: `entry entry-${appointment.status}`,
  };
}

/** Closed time, and what is kept free after appointments. */
function toBackgroundEvents(
  { schedule, studio }: CurrentArtist,
  view: CalendarView,
  date: LocalDate,
  entries: readonly CalendarItem[],
): EventInput[] {
  const { first, last } = visibleDates(view, date);
  const closed = closedTimeRanges(schedule, studio.time_zone, first, last);
  const buffers = entries
    .filter(
      ({ appointment, end, blockedUntil }) =>
        end < blockedUntil && occupiesCalendar(appointment.status),
    )
    .map(({ end, blockedUntil }) => ({ start: end, end: blockedUntil }));
  return [
    ...closed.map((stretch) => ({ ...toBackgroundEvent(stretch), className: 'entry-closed' })),
    ...buffers.map((stretch) => ({ ...toBackgroundEvent(stretch), className: 'entry-buffer' })),
  ];
}

function toBackgroundEvent({ start, end }: { start: number; end: number }): EventInput {
  return {
    start: toRfc3339(start),
    end: toRfc3339(end),
    display: 'background',
    interactive: false,
  };
}

/** The library counts days as midnights of UTC. */
function toLocalDate(day: Date): LocalDate {
  return day.toISOString().slice(0, 10);
}
