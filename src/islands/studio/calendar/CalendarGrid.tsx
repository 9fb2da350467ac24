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

export function CalendarGrid({ me, page, entries, onEntryClick, onSelectDays }: CalendarGridProps) {
  const { schedule, studio: zone } = me;
  const { view, date } = page;
  const hasHours = drawsHours(view);
  const dates = visibleDates(view, date);
  const wallTimes = entries.map((entry) => toWallRange(zoneOf(zone, entry.appointment), entry));
  const typedHours = useMemo(() => toTypedHours(schedule, dates.first), [schedule, dates.first]);
  const shownHours = visibleHours(typedHours, dates, wallTimes);
  const dayBefore = addDays(dates.first, -1);
  const dayKindLabel = (day: Date) => formatDayKind(typedHours, utcDateAt(day.getTime()));
  const events = useMemo(
    () => [
      ...entries.map((entry) => toEvent(zone, entry)),
      ...(hasHours ? toBackgroundEvents(me, view, date, entries) : []),
    ],
    [entries, me, zone, view, date, hasHours],
  );

  const selectDays = (first: LocalDate, last: LocalDate) =>
    onSelectDays({ first, last, start: null });

  /** @param text a wall-clock time as FullCalendar writes it */
  function selectTime(text: string): void {
    const start = toClockTime(text);
    const day = columnDate(shownHours, start.date, start.time);
    onSelectDays({ first: day, last: day, start: `${start.date}T${start.time}` });
  }

  // After a refusal, `entries` draw the stored time again. FullCalendar's `revert` might draw an older one.
  function saveDraggedTime(
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
      {hasHours && shownHours.hasNightBefore && (
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
        slotMinTime={formatWallTime(shownHours.start)}
        slotMaxTime={formatWallTime(shownHours.end)}
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
          saveDraggedTime(info, () => (info.event.start ? toClockTime(info.event.startStr) : {}))
        }
        eventResize={(info) =>
          saveDraggedTime(info, (entry, before) => {
            const shownEnd = toWallRange(zoneOf(zone, entry.appointment), entry).end;
            const addedMs = (info.event.end?.getTime() ?? shownEnd) - shownEnd;
            return { minutes: before.minutes + addedMs / MINUTE_MS };
          })
        }
        selectable
        selectMinDistance={8}
        // `allDay` is true in a month, which has no hours.
        dateClick={({ dateStr, allDay }) =>
          allDay ? selectDays(dateStr, dateStr) : selectTime(dateStr)
        }
        select={({ startStr, endStr, allDay }) =>
          // FullCalendar's end is excluded: the day after the last one.
          allDay ? selectDays(startStr, addDays(endStr, -1)) : selectTime(startStr)
        }
        dayHeaderInnerClass="day-head"
        dayHeaderContent={({ date: day, text }) => (
          <DayHeading
            // On a phone FullCalendar writes only the weekday above a day of a week.
            text={view === 'week' && !/\d/.test(text) ? `${text} ${day.getUTCDate()}` : text}
            // A month's header names weekdays, not dates.
            label={view === 'month' ? null : dayKindLabel(day)}
          />
        )}
        dayCellTopContent={({ date: day, dayNumberText }) => (
          <DayHeading text={dayNumberText} label={dayKindLabel(day)} />
        )}
        dayCellClass={({ date: day }) => `kind-${dayKindOn(typedHours, utcDateAt(day.getTime()))}`}
      />
    </div>
  );
}

/** @param text FullCalendar's, such as `2026-12-05T11:00:00Z`, where Z stands for the studio's clock */
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

const BACKGROUND = { display: 'background', interactive: false } as const;

/** Closed times, and the buffers after appointments. */
function toBackgroundEvents(
  { schedule, studio }: CurrentArtist,
  view: CalendarView,
  date: LocalDate,
  entries: readonly CalendarEntry[],
): EventInput[] {
  const { first, last } = visibleDates(view, date);
  // With wall-clock times as instants in UTC. The night of the last date lasts into the day after.
  const closed = closedTimeRanges(schedule, 'UTC', first, addDays(last, 1));
  const buffers = entries
    .filter(({ appointment }) => occupiesCalendar(appointment.status))
    .filter(({ end, blockedUntil }) => end < blockedUntil)
    .map(({ appointment, end, blockedUntil }) =>
      toWallRange(zoneOf(studio, appointment), { start: end, end: blockedUntil }),
    );
  return [
    ...closed.map((range) => ({ ...range, ...BACKGROUND, className: 'entry-closed' })),
    ...buffers.map((range) => ({ ...range, ...BACKGROUND, className: 'entry-buffer' })),
  ];
}

/** As the studio's clocks show the range, in UTC. If they go back in between, the end may come from the length. */
function toWallRange(zone: StudioZone, { start, end }: TimeRange): TimeRange {
  const wallStart = toWallInstant(zone, start);
  const wallEnd = toWallInstant(zone, end);
  return { start: wallStart, end: wallEnd > wallStart ? wallEnd : wallStart + end - start };
}

/** Statuses in words short enough for the calendar; a confirmed appointment needs none. */
const SHORT_STATUS_LABELS: Partial<Record<AppointmentStatus, string>> = {
  held: 'Not confirmed',
  offered: 'Offered',
  completed: 'Completed',
  no_show: 'Did not come',
};

interface EntryTextProps {
  entry: CalendarEntry;
  /** As FullCalendar draws it now. While the artist drags it, `entry` still has the old time. */
  drawn: EventDisplayInfo;
  view: CalendarView;
  zone: StudioZone;
}

function EntryText({ entry, drawn, view, zone }: EntryTextProps) {
  const { appointment } = entry;
  const { event, isMirror, isShort, isStart } = drawn;
  const status = SHORT_STATUS_LABELS[appointment.status];
  const time =
    // A part that began on an earlier day says its end. The mirror is the copy that follows the pointer.
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
