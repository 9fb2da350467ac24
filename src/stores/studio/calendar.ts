// The calendar page in the artists' area: shows appointments, moves them, and sets days off.

import { atom, computed } from 'nanostores';
import { serverNow } from '#client/server_clock.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { changeSchedule, fetchMe } from '#contract/endpoints.ts';
import { occupiesCalendar } from '#domain/appointments/appointment.ts';
import {
  CALENDAR_VIEWS,
  type CalendarView,
  dateToOpen,
  visibleDates,
} from '#domain/appointments/calendar_view.ts';
import type { BufferedTime } from '#domain/booking/availability.ts';
import {
  type ExceptionDay,
  endNightBefore,
  mergeDays,
  removeExceptions,
  restoreNightBefore,
  setExceptions,
  toStoredHours,
  toTypedHours,
} from '#domain/booking/opening_hours.ts';
import type { OpeningHours } from '#domain/booking/schedule.ts';
import { mailtoHref } from '#domain/mail/email.ts';
import { isDate, type StudioTime, toWallInstant } from '#domain/studio/studio_time.ts';
import { addDays, type LocalDate } from '#domain/time/calendar_date.ts';
import { describeTimeZone } from '#domain/time/describe_time_zone.ts';
import { formatDayWithYear, localDateAt } from '#domain/time/format_time.ts';
import { utcDateAt } from '#domain/time/time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { callAsArtist } from '../session.ts';
import { showErrorToast, showSuccessToast, type ToastLink } from '../toasts.ts';
import { $timesBeingSaved, saveAppointmentTime, undoOfMove } from './appointment_time.ts';
import { $changedAppointments } from './appointments.ts';
import {
  formatAppointmentTime,
  listAppointmentsOnDates,
  parseAppointmentTime,
  toApiRange,
} from './booked_appointments.ts';
import { errorsOfDate } from './hours_draft.ts';
import { formatClientNotice } from './mails.ts';
import { applyMe } from './me.ts';
import { $now } from './now.ts';
import { attempt, createQueryOf } from './queries.ts';

/** The part of the calendar that is visible, such as the week that contains `date`. */
export interface CalendarPage {
  readonly view: CalendarView;
  readonly date: LocalDate;
}

/** null until `openCalendar` is called. */
export const $calendarPage = atom<CalendarPage | null>(null);
/** The visible dates and the next one: the night of the last date goes on after midnight. */
const $dates = computed($calendarPage, (page) => {
  if (page === null) return null;
  const { first, last } = visibleDates(page.view, page.date);
  return { first, last: addDays(last, 1) };
});

/** The appointments on the visible dates, as they were loaded. */
export const $calendarAppointments = createQueryOf(
  $dates,
  ['appointments', 'calendar'],
  listAppointmentsOnDates,
);

/** An appointment as the calendar draws it, with its time and the buffer after it. */
export interface CalendarEntry extends BufferedTime {
  readonly id: string;
  readonly appointment: Appointment;
  readonly canMove: boolean;
}

/** The appointments that the calendar draws: the newest known version of each, or the time that is being saved. */
export const $calendarEntries = computed(
  [$calendarAppointments, $changedAppointments, $timesBeingSaved, $now],
  ({ data = [] }, changed, timesBeingSaved, now) =>
    data.flatMap((listed): CalendarEntry[] => {
      const { id } = listed;
      const afterChange = changed[id];
      const newest = afterChange && afterChange.version > listed.version ? afterChange : listed;
      const timeBeingSaved = timesBeingSaved[id];
      // The buffer after the new time is known once it is saved.
      const appointment = timeBeingSaved
        ? { ...newest, ...toApiRange(timeBeingSaved), blocked_until: null }
        : newest;
      const time = parseAppointmentTime(appointment);
      if (time === null) return [];
      const isAhead = occupiesCalendar(appointment.status) && time.end > now;
      return [{ ...time, id, appointment, canMove: isAhead && timeBeingSaved === undefined }];
    }),
);

/** Shows the view and the date that the URL's query string `query` names; else `defaultView` and today. */
export function openCalendar(me: CurrentArtist, query: string, defaultView: CalendarView): void {
  const params = new URLSearchParams(query);
  const view = CALENDAR_VIEWS.find((name) => name === params.get('view')) ?? defaultView;
  const date = params.get('date') ?? '';
  $calendarPage.set({ view, date: isDate(date) ? date : todayIn(view, me) });
}

/** Today in the studio; yesterday, if the view draws the hours after midnight there and they go on. */
export function todayIn(view: CalendarView, { schedule, studio }: CurrentArtist): LocalDate {
  const wallNow = toWallInstant(studio, serverNow());
  return dateToOpen(view, toTypedHours(schedule, utcDateAt(wallNow)), wallNow);
}

/** Shows another view or date, and writes it to the URL. */
export function showCalendar(changes: Partial<CalendarPage>): void {
  const page = $calendarPage.get();
  if (page === null) return;
  const { view, date } = { ...page, ...changes };
  $calendarPage.set({ view, date });
  history.replaceState(history.state, '', `?${new URLSearchParams({ view, date })}`);
}

/** Moves an appointment or changes its length. Shows success with Undo, or the error. @returns whether it moved */
export function moveAppointment(
  shown: Appointment,
  time: StudioTime,
  zone: StudioZone,
): Promise<boolean> {
  return attempt('Not saved.', ['appointments'], async () => {
    const moved = await saveAppointmentTime(shown, time);
    const text = `Now ${formatAppointmentTime(moved, zone)}. ${formatClientNotice(moved.client)}`;
    showSuccessToast('Moved.', text, undoOfMove(shown, moved, zone), mailLink(moved, zone));
  });
}

/** A link that opens a mail about the new time in the artist's mail program. */
function mailLink(moved: Appointment, zone: StudioZone): ToastLink | null {
  const { first_name, email } = moved.client;
  if (email === null) return null;
  const subject = 'Your appointment has a new time';
  const body = `Hi${first_name === null ? '' : ` ${first_name}`},\n\nyour appointment is now ${formatAppointmentTime(moved, zone)}, ${describeTimeZone(zone.time_zone)}.`;
  const href = `${mailtoHref(email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
  return { label: `Write to ${first_name ?? email}`, href };
}

/**
 * Makes `first` to `last`, both included, days off.
 * @param endsNight whether the hours of the day before `first` end at midnight; else they stay
 * @returns whether it was saved
 */
export function closeDates(first: LocalDate, last: LocalDate, endsNight = false): Promise<boolean> {
  return updateExceptions(
    (typed) => {
      const exceptions = endsNight ? endNightBefore(typed, first) : typed.exceptions;
      // A day without opening hours is a day off.
      return setExceptions(exceptions, first, last, []);
    },
    {
      title: first === last ? 'Day off.' : 'Days off.',
      text: `Clients can no longer book ${first === last ? 'it' : 'them'}. Appointments that are there stay.`,
    },
  );
}

/** Restores weekly hours for `first` to `last`, both included. @returns whether it was saved */
export function reopenDates(first: LocalDate, last: LocalDate): Promise<boolean> {
  return updateExceptions(
    (typed) => removeExceptions(restoreNightBefore(typed, first), first, last),
    { title: 'Open again.', text: 'Your weekly hours hold on this day.' },
  );
}

/**
 * Changes the exceptions from yesterday on: dates with their own hours, or days off.
 * @param change returns the new exceptions; hours are as artists type them
 * @returns whether the change was saved; a toast shows `title` and `text`, or the error
 */
async function updateExceptions(
  change: (typed: OpeningHours) => readonly ExceptionDay[],
  { title, text, canUndo = true }: { title: string; text: string; canUndo?: boolean },
): Promise<boolean> {
  let isSaved = false;
  await attempt('Not changed.', [], async () => {
    // The API replaces the whole list, so the list must be fresh.
    const { schedule, studio } = await callAsArtist(fetchMe);
    const before = toTypedHours(schedule, localDateAt(studio, serverNow()));
    const after = change(before);
    const hours = { ...before, exceptions: after };
    const error = findExceptionError(hours);
    if (error !== null) {
      showErrorToast('Nothing was changed.', error);
      return;
    }
    const { exceptions } = toStoredHours(hours);
    applyMe(await callAsArtist(changeSchedule, { body: { exceptions } }));
    const undo = { label: 'Undo', run: () => void undoExceptions(before.exceptions, after) };
    showSuccessToast(title, text, canUndo ? undo : null);
    isSaved = true;
  });
  return isSaved;
}

/** Says where the hours of an exception overlap those of the day before or after it; null if none do. */
function findExceptionError(hours: OpeningHours): string | null {
  for (const day of hours.exceptions) {
    const [error] = Object.values(errorsOfDate('', hours, day));
    if (error !== undefined) return `${formatDayWithYear(day.date, 'UTC')}: ${error}.`;
  }
  return null;
}

/** Restores only dates whose `before` and `after` differ: others may have changed meanwhile. */
function undoExceptions(
  before: readonly ExceptionDay[],
  after: readonly ExceptionDay[],
): Promise<boolean> {
  return updateExceptions(
    ({ exceptions }) => mergeDays(after, before, exceptions, ({ date }) => date),
    { title: 'Undone.', text: 'Your days are as they were.', canUndo: false },
  );
}
