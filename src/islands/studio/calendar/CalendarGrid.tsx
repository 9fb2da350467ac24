import FullCalendar, {
  type EventChangeInfo,
  type EventDisplayInfo,
  type EventInput,
} from '@fullcalendar/react';
import dayGrid from '@fullcalendar/react/daygrid';
import interaction from '@fullcalendar/react/interaction';
import list from '@fullcalendar/react/list';
import classic from '@fullcalendar/react/themes/classic';
import timeGrid from '@fullcalendar/react/timegrid';
import { useMemo } from 'react';
import { serverNow } from '#client/server_clock.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { type AppointmentStatus, occupiesCalendar } from '#domain/appointments/appointment.ts';
import {
  type CalendarView,
  columnDate,
  drawsHours,
  visibleDates,
  visibleHours,
} from '#domain/appointments/calendar_view.ts';
import type { TimeRange } from '#domain/booking/availability.ts';
import { closedTimeRanges, dayKindOn } from '#domain/booking/availability_preview.ts';
import { toTypedHours } from '#domain/booking/opening_hours.ts';
import { type StudioTime, toStudioTime, toWallInstant } from '#domain/studio/studio_time.ts';
import { addDays, type LocalDate } from '#domain/time/calendar_date.ts';
import { formatDay, formatTime } from '#domain/time/format_time.ts';
import { formatWallTime, MINUTE_MS, utcDateAt } from '#domain/time/time.ts';
import { type StudioZone, zoneOf, zoneToEdit } from '#domain/time/zone_offsets.ts';
import {
  type CalendarEntry,
  type CalendarPage,
  moveAppointment,
  showCalendar,
} from '#stores/studio/calendar.ts';
import { appointmentClientName, formatSubject } from '../appointments/labels.ts';
import { LinkButton } from '../buttons.tsx';
import type { SelectedDays } from './DaysDialog.tsx';
import { formatDayKind } from './labels.ts';
import '@fullcalendar/react/skeleton.css';
import '@fullcalendar/react/themes/classic/theme.css';
import '../../../styles/studio_calendar.css';

const PLUGINS = [classic, dayGrid, timeGrid, list, interaction];
const FULLCALENDAR_VIEWS: Record<CalendarView, string> = {
  day: 'timeGridDay',
  week: 'timeGridWeek',
  month: 'dayGridMonth',
  list: 'listWeek',
};

interface CalendarGridProps {
  me: CurrentArtist;
  page: CalendarPage;
  entries: readonly CalendarEntry[];
  onEntryClick: (id: string) => void;
  onSelectDays: (days: SelectedDays) => void;
}

/** FullCalendar with the artist's appointments and opening hours. */
export function CalendarGrid({ me, page, entries, onEntryClick, onSelectDays }: CalendarGridProps) {
  const { schedule } = me;
  const zone = me.studio;
  const { view, date } = page;
  const hasHours = drawsHours(view);
  const dates = visibleDates(view, date);
  const drawn = entries.map((entry) => toWallRange(zoneOf(zone, entry.appointment), entry));
  const typed = useMemo(() => toTypedHours(schedule, dates.first), [schedule, dates.first]);
  const hours = visibleHours(typed, dates, drawn);
  const dayBefore = addDays(dates.first, -1);
  const labelOf = (day: Date) => formatDayKind(typed, utcDateAt(day.getTime()));
  const events = useMemo(
    () => [
      ...entries.map((entry) => toEvent(zone, entry)),
      ...(hasHours ? toBackgroundEvents(me, view, date, entries) : []),
    ],
    [entries, me, zone, view, date, hasHours],
  );

  /** Selects whole days, `last` included, or the time at which they start. */
  function select(allDay: boolean, start: string, last: LocalDate): void {
    if (allDay) onSelectDays({ first: start, last, start: null });
    else {
      const { date, time } = toClockTime(start);
      const day = columnDate(hours, date, time);
      onSelectDays({ first: day, last: day, start: `${date}T${time}` });
    }
  }

  // A refused move is put back by `entries`; FullCalendar's `revert` would show the time of an older one.
  function move(
    { event }: EventChangeInfo,
    toChanges: (entry: CalendarEntry, before: StudioTime) => Partial<StudioTime>,
  ): void {
    const entry = entries.find(({ id }) => id === event.id);
    if (!entry) return;
    const before = toStudioTime(zoneToEdit(zone, entry.appointment, entry.start), entry);
    void moveAppointment(entry.appointment, { ...before, ...toChanges(entry, before) }, zone);
  }

  return (
    <div className="studio-calendar" data-view={view}>
      {hasHours && hours.hasNightBefore && (
        <LinkButton
          label={`See the night of ${formatDay(dayBefore)}`}
          onClick={() => showCalendar({ date: dayBefore })}
        />
      )}
      <FullCalendar
        plugins={PLUGINS}
        // FullCalendar gets the studio's wall-clock times as instants in UTC, and returns such.
        timeZone="UTC"
        now={() => toWallInstant(zone, serverNow())}
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
        eventContent={(drawn) => {
          const entry = entries.find(({ id }) => id === drawn.event.id);
          return entry ? <EntryText entry={entry} drawn={drawn} view={view} zone={zone} /> : null;
        }}
        eventClick={({ event }) => onEntryClick(event.id)}
        // A dropped appointment stays as long as it was; resizing changes only the end.
        eventDrop={(info) =>
          move(info, () => (info.event.start ? toClockTime(info.event.startStr) : {}))
        }
        eventResize={(info) =>
          move(info, (entry, before) => {
            const shownEnd = toWallRange(zoneOf(zone, entry.appointment), entry).end;
            const longer = (info.event.end?.getTime() ?? shownEnd) - shownEnd;
            return { minutes: before.minutes + longer / MINUTE_MS };
          })
        }
        selectable
        selectMinDistance={8}
        dateClick={({ dateStr, allDay }) => select(allDay, dateStr, dateStr)}
        select={({ startStr, endStr, allDay }) =>
          // FullCalendar's end is excluded: the day after the last one.
          select(allDay, startStr, addDays(endStr.slice(0, 10), -1))
        }
        dayHeaderInnerClass="day-head"
        dayHeaderContent={({ date: day, text }) => (
          <DayHeading
            // On a phone FullCalendar's text of a week's day is only the weekday.
            text={view === 'week' && !/\d/.test(text) ? `${text} ${day.getUTCDate()}` : text}
            // A month's header names weekdays, not dates.
            label={view === 'month' ? null : labelOf(day)}
          />
        )}
        dayCellTopContent={({ date: day, dayNumberText }) => (
          <DayHeading text={dayNumberText} label={labelOf(day)} />
        )}
        dayCellClass={({ date: day }) => `kind-${dayKindOn(typed, utcDateAt(day.getTime()))}`}
      />
    </div>
  );
}

/** The date and the wall-clock time of FullCalendar's text, such as `2026-12-05T11:00:00Z`. */
function toClockTime(text: string): Pick<StudioTime, 'date' | 'time'> {
  return { date: text.slice(0, 10), time: text.slice(11, 16) };
}

function DayHeading({ text, label }: { text: string; label: string | null }) {
  return (
    <span className="day-name">
      <span>{text}</span>
      {label !== null && <span className="day-word">{label}</span>}
    </span>
  );
}

function toEvent(zone: StudioZone, entry: CalendarEntry): EventInput {
  const { id, canMove, appointment } = entry;
  return {
    id,
    title: appointment.client.first_name ?? 'Appointment',
    ...toWallRange(zoneOf(zone, appointment), entry),
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
  const closed = closedTimeRanges(schedule, 'UTC', first, addDays(last, 1));
  const buffers = entries
    .filter(({ appointment }) => occupiesCalendar(appointment.status))
    .filter(({ end, blockedUntil }) => end < blockedUntil)
    .map(({ appointment, end, blockedUntil }) =>
      toWallRange(zoneOf(studio, appointment), { start: end, end: blockedUntil }),
    );
  return [
    ...closed.map((range) => toBackgroundEvent(range, 'entry-closed')),
    ...buffers.map((range) => toBackgroundEvent(range, 'entry-buffer')),
  ];
}

/** As the studio's clocks show it; where they go back in between, as long as it takes. */
function toWallRange(zone: StudioZone, { start, end }: TimeRange): TimeRange {
  const wallStart = toWallInstant(zone, start);
  const wallEnd = toWallInstant(zone, end);
  return { start: wallStart, end: wallEnd > wallStart ? wallEnd : wallStart + end - start };
}

function toBackgroundEvent(range: TimeRange, className: string): EventInput {
  return { ...range, className, display: 'background', interactive: false };
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
  /** As FullCalendar draws it now: while it is dragged, `entry` has the old time. */
  drawn: EventDisplayInfo;
  view: CalendarView;
  zone: StudioZone;
}

function EntryText({ entry, drawn, view, zone }: EntryTextProps) {
  const { appointment } = entry;
  const { event, isMirror, isShort, isStart } = drawn;
  const status = SHORT_STATUS_LABELS[appointment.status];
  const time =
    // The mirror is the copy of an event that follows the pointer while it is dragged.
    event.start && (isMirror || isStart)
      ? formatTime(event.start.getTime(), 'UTC')
      : `until ${formatTime(entry.end, zoneOf(zone, appointment))}`;
  return (
    <span className="entry-text" data-room={isShort || view === 'month' ? 'line' : 'full'}>
      <span className="entry-time">{`${time} `}</span>
      <span className="entry-name">{`${appointmentClientName(appointment.client)} `}</span>
      {status && <span className="entry-word">{`${status} `}</span>}
      <span className="entry-what">{formatSubject(appointment)}</span>
    </span>
  );
}
