import FullCalendar, { type EventChangeInfo, type EventInput } from '@fullcalendar/react';
import dayGrid from '@fullcalendar/react/daygrid';
import interaction from '@fullcalendar/react/interaction';
import list from '@fullcalendar/react/list';
import classic from '@fullcalendar/react/themes/classic';
import timeGrid from '@fullcalendar/react/timegrid';
import { useMemo } from 'react';
import { formatTime } from '#domain/format_time.ts';
import { appointmentClientName, formatSubject } from '../appointments/labels.ts';
import '@fullcalendar/react/skeleton.css';
import '@fullcalendar/react/themes/classic/theme.css';
import '../../../styles/studio_calendar.css';
import type { CurrentArtist } from '#contract/artist.ts';
import { type AppointmentStatus, occupiesCalendar } from '#domain/appointment.ts';
import type { TimeRange } from '#domain/availability.ts';
import { closedTimeRanges, type DayKind, dayKindOn } from '#domain/availability_preview.ts';
import { addDays, type LocalDate } from '#domain/calendar_date.ts';
import { type CalendarView, visibleDates, visibleHours } from '#domain/calendar_view.ts';
import { formatWallTime, toRfc3339 } from '#domain/time.ts';
import { type CalendarEntry, moveAppointment } from '#stores/studio/calendar.ts';
import type { SelectedDays } from './DaysDialog.tsx';

const PLUGINS = [classic, dayGrid, timeGrid, list, interaction];
const FULLCALENDAR_VIEWS: Record<CalendarView, string> = {
  day: 'timeGridDay',
  week: 'timeGridWeek',
  month: 'dayGridMonth',
  list: 'listWeek',
};
const DAY_KIND_LABELS = { own: 'Other hours', closed: 'Closed', off: 'Day off' };

interface CalendarGridProps {
  me: CurrentArtist;
  page: { readonly view: CalendarView; readonly date: LocalDate };
  entries: readonly CalendarEntry[];
  onEntryClick: (id: string) => void;
  onSelectDays: (days: SelectedDays) => void;
}

/** FullCalendar with the artist's appointments and opening hours. */
export function CalendarGrid({ me, page, entries, onEntryClick, onSelectDays }: CalendarGridProps) {
  const { schedule } = me;
  const zone = me.studio.time_zone;
  const { view, date } = page;
  const hours = visibleHours(schedule, zone, visibleDates(view, date), entries);
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
    // FullCalendar may report no end: the appointment then stays as long as it was.
    const newEnd = end?.getTime() ?? start.getTime() + (entry.end - entry.start);
    const range = { start: start.getTime(), end: newEnd };
    if (!(await moveAppointment(entry.appointment, range))) revert();
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
        snapDuration="00:15"
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
        // The mirror is the copy of an event that follows the pointer while it is dragged.
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
        eventClick={({ event }) => onEntryClick(event.id)}
        eventDrop={(info) => void move(info)}
        eventResize={(info) => void move(info)}
        selectable
        selectMinDistance={8}
        dateClick={({ date: clicked, dateStr, allDay }) => {
          const day = dateStr.slice(0, 10);
          onSelectDays({ first: day, last: day, start: allDay ? null : clicked.getTime() });
        }}
        select={({ start, startStr, endStr, allDay }) => {
          const first = startStr.slice(0, 10);
          // FullCalendar's end is excluded: the day after the last one.
          const last = allDay ? addDays(endStr.slice(0, 10), -1) : first;
          onSelectDays({ first, last, start: allDay ? null : start.getTime() });
        }}
        dayHeaderInnerClass="day-head"
        dayHeaderContent={({ date: day, text }) => (
          <DayHeading
            // On a phone FullCalendar's text of a week's day is only the weekday.
            text={view === 'week' && !/\d/.test(text) ? `${text} ${day.getUTCDate()}` : text}
            // A month's header names weekdays, not dates.
            kind={view === 'month' ? 'open' : dayKindOn(schedule, toLocalDate(day))}
          />
        )}
        dayCellTopContent={({ date: day, dayNumberText }) => (
          <DayHeading text={dayNumberText} kind={dayKindOn(schedule, toLocalDate(day))} />
        )}
        dayCellClass={({ date: day }) => `kind-${dayKindOn(schedule, toLocalDate(day))}`}
      />
    </div>
  );
}

function DayHeading({ text, kind }: { text: string; kind: DayKind }) {
  return (
    <span className="day-name">
      <span>{text}</span>
      {kind !== 'open' && <span className="day-word">{DAY_KIND_LABELS[kind]}</span>}
    </span>
  );
}

function toEvent({ id, start, end, canMove, appointment }: CalendarEntry): EventInput {
  return {
    id,
    title: appointment.client.first_name ?? 'Appointment',
    start: toRfc3339(start),
    end: toRfc3339(end),
    editable: canMove,
    className: `entry entry-${appointment.status}`,
  };
}

function toBackgroundEvents(
  { schedule, studio }: CurrentArtist,
  view: CalendarView,
  date: LocalDate,
  entries: readonly CalendarEntry[],
): EventInput[] {
  const { first, last } = visibleDates(view, date);
  const closed = closedTimeRanges(schedule, studio.time_zone, first, last);
  const buffers = entries
    .filter(({ appointment }) => occupiesCalendar(appointment.status))
    .map(({ end, blockedUntil }) => ({ start: end, end: blockedUntil }))
    .filter(({ start, end }) => start < end);
  return [
    ...closed.map((range) => toBackgroundEvent(range, 'entry-closed')),
    ...buffers.map((range) => toBackgroundEvent(range, 'entry-buffer')),
  ];
}

function toBackgroundEvent({ start, end }: TimeRange, className: string): EventInput {
  const range = { start: toRfc3339(start), end: toRfc3339(end) };
  return { ...range, className, display: 'background', interactive: false };
}

/** FullCalendar passes a day as midnight in UTC. */
function toLocalDate(day: Date): LocalDate {
  return day.toISOString().slice(0, 10);
}

/** Statuses short enough for the calendar; a confirmed appointment needs none. */
const SHORT_STATUS_LABELS: Partial<Record<AppointmentStatus, string>> = {
  held: 'Not confirmed',
  offered: 'Offered',
  completed: 'Completed',
  no_show: 'Did not come',
};

interface EntryTextProps {
  entry: CalendarEntry;
  zone: string;
  /** The start to show: while the appointment is dragged, the new one. */
  start: number;
  layout: 'line' | 'full';
}

/** The text of an appointment on the calendar. */
function EntryText({ entry: { appointment }, zone, start, layout }: EntryTextProps) {
  const status = SHORT_STATUS_LABELS[appointment.status];
  return (
    <span className="entry-text" data-room={layout}>
      <span className="entry-time">{`${formatTime(start, zone)} `}</span>
      <span className="entry-name">{`${appointmentClientName(appointment.client)} `}</span>
      {status && <span className="entry-word">{`${status} `}</span>}
      <span className="entry-what">{formatSubject(appointment)}</span>
    </span>
  );
}
