import { atom, computed } from 'nanostores';
import { listAppointmentsInRange } from '#client/appointments.ts';
import { changeSchedule, fetchMe } from '#client/artists.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { ListPage } from '#contract/common.ts';
import { occupiesCalendar } from '#domain/appointment.ts';
import type { TimeRange } from '#domain/availability.ts';
import { CALENDAR_VIEWS, type CalendarView, visibleDates } from '#domain/calendar_view.ts';
import { formatDayWithYear, formatTimeRange } from '#domain/format_time.ts';
import {
  type ExceptionDay,
  mergeDays,
  removeExceptions,
  setExceptions,
  upcomingExceptions,
} from '#domain/opening_hours.ts';
import {
  addDays,
  type LocalDate,
  localDateAt,
  MINUTE_MS,
  resolveWallTime,
  toRfc3339,
} from '#domain/time.ts';
import { errorText } from '../error_text.ts';
import { artistApi } from '../session.ts';
import { showErrorToast, showSuccessToast, type ToastLink } from '../toasts.ts';
import { saveAppointmentTime } from './appointments.ts';
import { type BufferedTime, toBufferedTime } from './booked_appointments.ts';
import { formatClientNotice } from './mails.ts';
import { applyMe } from './me.ts';
import { $now } from './now.ts';
import { createQuery, revalidate } from './queries.ts';

/** What the calendar shows: a view around a date of the studio. */
interface CalendarPage {
  readonly view: CalendarView;
  readonly date: LocalDate;
}

const $zone = atom<string | null>(null);
const $calendarPage = atom<CalendarPage | null>(null);
const $firstDate = computed(
  $calendarPage,
  (shown) => shown && visibleDates(shown.view, shown.date).first,
);
const $lastDate = computed(
  $calendarPage,
  (shown) => shown && visibleDates(shown.view, shown.date).last,
);

/** View and date; null until the page is open. */
export const $page = computed($calendarPage, (shown) => shown);

/** All that is on the calendar on the dates shown. */
export const $calendarAppointments = createQuery<ListPage<Appointment>>(
  ['appointments', 'calendar', $zone, $firstDate, $lastDate],
  {
    fetcher: (...[, , zone, first, last]) =>
      listAppointmentsInRange(artistApi(), {
        start: toRfc3339(resolveWallTime(String(zone), String(first), 0).instant),
        end: toRfc3339(
          resolveWallTime(String(zone), addDays(String(last), 1), 0).instant - MINUTE_MS,
        ),
      }),
  },
);

/** An appointment as it stands on the calendar. */
export interface CalendarItem extends BufferedTime {
  readonly id: string;
  readonly appointment: Appointment;
  /** Whether the artist can still move it. */
  readonly canMove: boolean;
}

export const $calendarItems = computed([$calendarAppointments, $now], ({ data }, now) =>
  (data?.data ?? []).flatMap((appointment): CalendarItem[] => {
    const times = toBufferedTime(appointment);
    if (times === null) return [];
    const { id, status } = appointment;
    return [{ ...times, id, appointment, canMove: occupiesCalendar(status) && times.end > now }];
  }),
);

/** Shows what the address says, else today. */
export function openCalendar(zone: string, search: string, usual: CalendarView): void {
  const params = new URLSearchParams(search);
  const view = CALENDAR_VIEWS.find((one) => one === params.get('view')) ?? usual;
  const asked = params.get('date') ?? '';
  const isDate = /^2[01]\d\d-\d\d-\d\d$/.test(asked) && !Number.isNaN(Date.parse(asked));
  $zone.set(zone);
  $calendarPage.set({ view, date: isDate ? asked : localDateAt(zone, Date.now()) });
}

/** Shows another view or date, and says so in the address. */
export function showCalendar(changes: Partial<CalendarPage>): void {
  const before = $calendarPage.get();
  if (before === null) return;
  const { view, date } = { ...before, ...changes };
  $calendarPage.set({ view, date });
  history.replaceState(history.state, '', `?${new URLSearchParams({ view, date })}`);
}

/**
 * Moves an appointment as it was seen, or changes its length; `end` is excluded.
 * @returns whether it was moved; the artist is told either way
 */
export async function moveAppointment(seen: Appointment, to: TimeRange): Promise<boolean> {
  const moved = await saveTime(seen, to);
  if (moved === null) return false;
  const before = toBufferedTime(seen);
  const undo = before && { label: 'Undo', run: () => void undoMove(moved, before) };
  showSuccessToast('Moved.', movedText(moved), undo, mailLink(moved));
  return true;
}

async function undoMove(moved: Appointment, to: TimeRange): Promise<void> {
  const back = await saveTime(moved, to);
  if (back !== null) showSuccessToast('Moved back.', `It is where it was: ${formatWhen(back)}.`);
}

async function saveTime(seen: Appointment, to: TimeRange): Promise<Appointment | null> {
  try {
    return await saveAppointmentTime(seen, to);
  } catch (error) {
    showErrorToast('Something went wrong.', errorText(error));
    return null;
  } finally {
    revalidate('appointments');
  }
}

function movedText(moved: Appointment): string {
  return `Now ${formatWhen(moved)}. ${formatClientNotice(moved.client)}`;
}

/** A letter about the new time, for the artist to send. */
function mailLink(moved: Appointment): ToastLink | null {
  const { first_name, email } = moved.client;
  if (email === null) return null;
  const subject = 'Your appointment has a new time';
  const body = `Hi${first_name === null ? '' : ` ${first_name}`},\n\nyour appointment is now ${formatWhen(moved)} (${$zone.get()}).`;
  const href = `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
  return { label: `Write to ${first_name ?? email}`, href };
}

function formatWhen({ start, end }: Appointment): string {
  const zone = $zone.get();
  if (start === null || end === null || zone === null) return '';
  return `${formatDayWithYear(start, zone)}, ${formatTimeRange(start, end, zone)}`;
}

/** Closes the dates `first` to `last`, both included. Their appointments stay. */
export function closeDates(first: LocalDate, last: LocalDate): Promise<boolean> {
  return updateExceptions(
    (days) => setExceptions(days, first, last, []),
    first === last ? 'Day off.' : 'Days off.',
    first === last
      ? 'Clients can no longer book it. Appointments that are there stay.'
      : 'Clients can no longer book them. Appointments that are there stay.',
  );
}

/** Opens the dates `first` to `last`, both included, as the week has them. */
export function reopenDates(first: LocalDate, last: LocalDate): Promise<boolean> {
  return updateExceptions(
    (days) => removeExceptions(days, first, last),
    'Open again.',
    'Your weekly hours hold on this day.',
  );
}

/** The list of days is written as a whole, so it is read just before. */
async function updateExceptions(
  change: (days: readonly ExceptionDay[]) => readonly ExceptionDay[],
  title: string,
  text: string,
): Promise<boolean> {
  try {
    const before = await fetchExceptions();
    const after = change(before);
    await saveExceptions(after);
    showSuccessToast(title, text, { label: 'Undo', run: () => void undoExceptions(before, after) });
    return true;
  } catch (error) {
    showErrorToast('Something went wrong.', errorText(error));
    return false;
  }
}

/** Only the dates that the change was about: others may have been changed since. */
async function undoExceptions(
  before: readonly ExceptionDay[],
  after: readonly ExceptionDay[],
): Promise<void> {
  try {
    await saveExceptions(mergeDays(after, before, await fetchExceptions(), ({ date }) => date));
    showSuccessToast('Undone.', 'Your days are as they were.');
  } catch (error) {
    showErrorToast('Something went wrong.', errorText(error));
  }
}

/** The days with hours of their own from today on, in order. */
async function fetchExceptions(): Promise<readonly ExceptionDay[]> {
  const { schedule, studio } = await fetchMe(artistApi());
  return upcomingExceptions(schedule.exceptions, localDateAt(studio.time_zone, Date.now()));
}

async function saveExceptions(days: readonly ExceptionDay[]): Promise<void> {
  const exceptions = days.map(({ date, windows }) => ({
    date,
    windows: windows.map(({ start, end }) => ({ start, end })),
  }));
  applyMe(await changeSchedule(artistApi(), { exceptions }));
}
