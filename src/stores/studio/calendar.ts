import { atom, computed } from 'nanostores';
import { listAppointmentsInRange } from '#client/appointments.ts';
import { changeSchedule, fetchMe } from '#client/artists.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { ListPage } from '#contract/common.ts';
import { occupiesCalendar } from '#domain/appointment.ts';
import type { TimeRange } from '#domain/availability.ts';
import { CALENDAR_VIEWS, type CalendarView, visibleDates } from '#domain/calendar_view.ts';
import {
  type ExceptionDay,
  mergeDays,
  removeExceptions,
  setExceptions,
  upcomingExceptions,
} from '#domain/hours.ts';
import { formatDayWithYear, formatTimeRange } from '#domain/show_time.ts';
import {
  addDays,
  type LocalDate,
  localDateAt,
  MINUTE_MS,
  resolveWallTime,
  toRfc3339,
} from '#domain/time.ts';
import { reasonOf } from '../reason.ts';
import { artistApi } from '../session.ts';
import { type ToastLink, tellError, tellSuccess } from '../toasts.ts';
import { setTime } from './appointments.ts';
import { type Times, timesOf } from './booked.ts';
import { whoTells } from './mails.ts';
import { knowMe } from './me.ts';
import { $now } from './now.ts';
import { createReading, revalidate } from './queries.ts';

/** What the calendar shows: a view around a date of the studio. */
interface Shown {
  readonly view: CalendarView;
  readonly date: LocalDate;
}

const $zone = atom<string | null>(null);
const $shown = atom<Shown | null>(null);
const $first = computed($shown, (shown) => shown && visibleDates(shown.view, shown.date).first);
const $last = computed($shown, (shown) => shown && visibleDates(shown.view, shown.date).last);

/** View and date; null until the page is open. */
export const $page = computed($shown, (shown) => shown);

/** All that is on the calendar on the dates shown. */
export const $appointments = createReading<ListPage<Appointment>>(
  ['appointments', 'calendar', $zone, $first, $last],
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
export interface Entry extends Times {
  readonly id: string;
  readonly appointment: Appointment;
  /** Whether the artist can still move it. */
  readonly canMove: boolean;
}

export const $entries = computed([$appointments, $now], ({ data }, now) =>
  (data?.data ?? []).flatMap((appointment): Entry[] => {
    const times = timesOf(appointment);
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
  $shown.set({ view, date: isDate ? asked : localDateAt(zone, Date.now()) });
}

/** Shows another view or date, and says so in the address. */
export function showCalendar(changes: Partial<Shown>): void {
  const before = $shown.get();
  if (before === null) return;
  const { view, date } = { ...before, ...changes };
  $shown.set({ view, date });
  history.replaceState(history.state, '', `?${new URLSearchParams({ view, date })}`);
}

/**
 * Moves an appointment as it was seen, or changes its length; `end` is excluded.
 * @returns whether it was moved; the artist is told either way
 */
export async function moveAppointment(seen: Appointment, to: TimeRange): Promise<boolean> {
  const moved = await sendTimes(seen, to);
  if (moved === null) return false;
  const before = timesOf(seen);
  const undo = before && { label: 'Undo', run: () => void moveBack(moved, before) };
  tellSuccess('Moved.', tellText(moved), undo, letterTo(moved));
  return true;
}

async function moveBack(moved: Appointment, to: TimeRange): Promise<void> {
  const back = await sendTimes(moved, to);
  if (back !== null) tellSuccess('Moved back.', `It is where it was: ${whenOf(back)}.`);
}

async function sendTimes(seen: Appointment, to: TimeRange): Promise<Appointment | null> {
  try {
    return await setTime(seen, to);
  } catch (error) {
    tellError('Something went wrong.', reasonOf(error));
    return null;
  } finally {
    revalidate('appointments');
  }
}

function tellText(moved: Appointment): string {
  return `Now ${whenOf(moved)}. ${whoTells(moved.client)}`;
}

/** A letter about the new time, for the artist to send. */
function letterTo(moved: Appointment): ToastLink | null {
  const { first_name, email } = moved.client;
  if (email === null) return null;
  const subject = 'Your appointment has a new time';
  const body = `Hi${first_name === null ? '' : ` ${first_name}`},\n\nyour appointment is now ${whenOf(moved)} (${$zone.get()}).`;
  const href = `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
  return { label: `Write to ${first_name ?? email}`, href };
}

function whenOf({ start, end }: Appointment): string {
  const zone = $zone.get();
  if (start === null || end === null || zone === null) return '';
  return `${formatDayWithYear(start, zone)}, ${formatTimeRange(start, end, zone)}`;
}

/** Closes the dates `first` to `last`, both included. Their appointments stay. */
export function takeOff(first: LocalDate, last: LocalDate): Promise<boolean> {
  return changeDays(
    (days) => setExceptions(days, first, last, []),
    first === last ? 'Day off.' : 'Days off.',
    first === last
      ? 'Clients can no longer book it. Appointments that are there stay.'
      : 'Clients can no longer book them. Appointments that are there stay.',
  );
}

/** Opens the dates `first` to `last`, both included, as the week has them. */
export function openAgain(first: LocalDate, last: LocalDate): Promise<boolean> {
  return changeDays(
    (days) => removeExceptions(days, first, last),
    'Open again.',
    'Your weekly hours hold on this day.',
  );
}

/** The list of days is written as a whole, so it is read just before. */
async function changeDays(
  change: (days: readonly ExceptionDay[]) => readonly ExceptionDay[],
  title: string,
  text: string,
): Promise<boolean> {
  try {
    const before = await readDays();
    const after = change(before);
    await sendDays(after);
    tellSuccess(title, text, { label: 'Undo', run: () => void undoDays(before, after) });
    return true;
  } catch (error) {
    tellError('Something went wrong.', reasonOf(error));
    return false;
  }
}

/** Only the dates that the change was about: others may have been changed since. */
async function undoDays(
  before: readonly ExceptionDay[],
  after: readonly ExceptionDay[],
): Promise<void> {
  try {
    await sendDays(mergeDays(after, before, await readDays(), ({ date }) => date));
    tellSuccess('Undone.', 'Your days are as they were.');
  } catch (error) {
    tellError('Something went wrong.', reasonOf(error));
  }
}

/** The days with hours of their own from today on, in order. */
async function readDays(): Promise<readonly ExceptionDay[]> {
  const { schedule, studio } = await fetchMe(artistApi());
  return upcomingExceptions(schedule.exceptions, localDateAt(studio.time_zone, Date.now()));
}

async function sendDays(days: readonly ExceptionDay[]): Promise<void> {
  const exceptions = days.map(({ date, windows }) => ({
    date,
    windows: windows.map(({ start, end }) => ({ start, end })),
  }));
  knowMe(await changeSchedule(artistApi(), { exceptions }));
}
