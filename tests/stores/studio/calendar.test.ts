import { beforeEach, expect, test, vi } from 'vitest';
import type { Appointment } from '#contract/appointment.ts';
import type { ListPage } from '#contract/common.ts';
import { toStoredHours } from '#domain/booking/opening_hours.ts';
import {
  $calendarAppointments,
  $calendarEntries,
  $calendarPage,
  closeDates,
  moveAppointment,
  openCalendar,
  reopenDates,
  todayIn,
} from '#stores/studio/calendar.ts';
import { createHoursEditor } from '#stores/studio/hours.ts';
import { $now } from '#stores/studio/now.ts';
import { $toasts, closeToast } from '#stores/toasts.ts';
import { problemResponse, stubApi } from '#support/fake_api.ts';
import {
  ANA_SELF,
  createAppointment,
  fakeScheduleApi,
  toastTexts,
  toListed,
  withResolvedTimes,
} from '#support/fake_schedule_api.ts';
import { reloadStore, waitForLoaded } from '#support/query_stores.ts';

const NIGHT = { weekday: 1, windows: [{ start: '20:00', end: '02:00' }] };
const NIGHTS = toStoredHours({ weekly: [NIGHT], exceptions: [] });
const ANA_BY_NIGHT = { ...ANA_SELF, schedule: { ...ANA_SELF.schedule, ...NIGHTS } };
const MORNING = [{ start: '09:00', end: '12:00' }];
const TO = { date: '2026-12-04', time: '10:00', minutes: 60 };

let studio: ReturnType<typeof fakeScheduleApi>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T12:00:00Z') });
  $now.set(Date.now());
  studio = fakeScheduleApi();
});

test.each([
  ['week', '2026-11-30', '2026-12-01T03:00:00Z'],
  ['week', '2026-11-30', '2026-12-01T06:59:00Z'],
  ['day', '2026-12-01', '2026-12-01T07:00:00Z'],
  ['list', '2026-12-01', '2026-12-01T06:59:00Z'],
] as const)('a %s opens at %s at %s, unless the URL has a date', (view, date, now) => {
  vi.setSystemTime(new Date(now));
  for (const search of ['', '?view=year&date=today', '?date=2026-13-01', '?date=1999-12-31']) {
    openCalendar(ANA_BY_NIGHT, search, view);
    expect($calendarPage.get(), search).toEqual({ view, date });
  }
  openCalendar(ANA_BY_NIGHT, `?view=${view}&date=2027-02-10`, 'month');
  expect($calendarPage.get()).toEqual({ view, date: '2027-02-10' });
  expect(todayIn(view, ANA_BY_NIGHT)).toBe(date);
});

test('only booked appointments that have not ended can be moved', async () => {
  stubApi(() =>
    toListed(
      createAppointment({ id: 'ahead' }),
      createAppointment({ id: 'done', status: 'completed' }),
      createAppointment({ id: 'over', start: '2026-11-30T15:00:00Z', end: '2026-11-30T15:59:00Z' }),
      createAppointment({ id: 'no-time', start: null, end: null }),
    ),
  );
  openCalendar(ANA_SELF, '?view=month&date=2026-12-01', 'week');
  await reloadStore($calendarAppointments);
  expect($calendarEntries.get().map(({ id, canMove }) => [id, canMove])).toEqual([
    ['ahead', true],
    ['done', false],
    ['over', false],
  ]);
});

/** The day of each start on the calendar; "fixed" if it cannot be moved. */
const days = () =>
  $calendarEntries
    .get()
    .map(
      ({ appointment, canMove }) => `${appointment.start?.slice(8, 10)}${canMove ? '' : ' fixed'}`,
    );

test('a moved appointment stays where it was dropped, whatever lists arrive, until a list is as new', async () => {
  const a = createAppointment({ id: 'a' });
  const b = createAppointment({ id: 'b' });
  const moved = { start: '2026-12-04T15:00:00Z', end: '2026-12-04T15:59:00Z', version: 4 };
  let list: ListPage<Appointment> | 'lost' = toListed(a, b);
  const answers: ((answer: object) => void)[] = [];
  const calls = stubApi(({ method }) =>
    method === 'GET' ? list : new Promise<object>((answer) => answers.push(answer)),
  );
  openCalendar(ANA_SELF, '?view=month&date=2026-12-01', 'week');
  await reloadStore($calendarAppointments);
  const isMoved = [a, b].map((shown) => moveAppointment(shown, TO, ANA_SELF.studio));
  $now.set(Date.now() + 1);
  expect(days()).toEqual(['04 fixed', '04 fixed']);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[0]?.({ ...a, ...moved });
  expect(await isMoved[0]).toBe(true);
  await waitForLoaded($calendarAppointments);
  expect(days(), 'an older list').toEqual(['04', '04 fixed']);
  answers[1]?.(problemResponse(422, 'No.'));
  expect(await isMoved[1]).toBe(false);
  expect(days(), 'a refusal').toEqual(['04', '03']);
  list = 'lost';
  expect((await reloadStore($calendarAppointments)).error).toBeDefined();
  const [shown = a] = $calendarEntries.get().map(({ appointment }) => appointment);
  void moveAppointment(shown, { ...TO, date: '2026-12-03' }, ANA_SELF.studio);
  await vi.waitFor(() => expect(answers).toHaveLength(3));
  expect(calls.findLast(({ method }) => method === 'PATCH')?.body['version']).toBe(4);
  answers[2]?.({ ...a, version: 5 });
  await vi.waitFor(() => expect(days()).toEqual(['03', '03']));
  $toasts.get().at(-1)?.action?.run();
  expect(days(), 'Undo').toEqual(['04 fixed', '03']);
  list = toListed({ ...a, ...moved, version: 6 }, b);
  await vi.waitFor(() => expect(answers).toHaveLength(4));
  answers[3]?.({ ...a, version: 5 });
  await vi.waitFor(() => expect(days(), 'a newer list').toEqual(['04', '03']));
});

test('undoing a move sends the version that the move returned', async () => {
  openCalendar(ANA_SELF, '', 'week');
  const calls = stubApi(({ body }) =>
    createAppointment({ ...withResolvedTimes(body), version: 4 }),
  );
  expect(await moveAppointment(createAppointment({}), TO, ANA_SELF.studio)).toBe(true);
  const [moved] = $toasts.get();
  expect(moved?.text).toBe(
    'Now Friday, December 4, 2026, 10:00 AM - 11:00 AM. Rosa is told by email.',
  );
  expect(moved?.link?.label).toBe('Write to Rosa');
  expect(decodeURIComponent(moved?.link?.href ?? '')).toContain('10:00 AM - 11:00 AM');
  moved?.action?.run();
  await vi.waitFor(() => expect(toastTexts().at(-1)).toContain('Moved back.'));
  const sent = calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
  expect(sent).toEqual([
    { start: { local: '2026-12-04T10:00' }, end: { local: '2026-12-04T10:59' }, version: 3 },
    { start: '2026-12-03T15:00:00Z', end: '2026-12-03T15:59:00Z', version: 4 },
  ]);
});

test('undoing a day off does not change days off that were added since', async () => {
  await closeDates('2026-12-24', '2026-12-24');
  const undo = $toasts.get()[0]?.action;
  await closeDates('2026-12-31', '2026-12-31');
  await reopenDates('2026-12-31', '2026-12-31');
  await closeDates('2027-01-01', '2027-01-02');
  undo?.run();
  await vi.waitFor(() =>
    expect(studio.self().schedule.exceptions).toEqual([
      { date: '2027-01-01', windows: [] },
      { date: '2027-01-02', windows: [] },
    ]),
  );
});

test('a reopened day must not overlap the night before, and undoing it restores its special hours', async () => {
  const hours = createHoursEditor(ANA_SELF);
  hours.setWeekdays([4], MORNING);
  hours.setDates({ first: '2026-12-23', last: '2026-12-23' }, [{ start: '20:00', end: '10:00' }]);
  hours.setDates({ first: '2026-12-24', last: '2026-12-24' }, [{ start: '13:00', end: '15:00' }]);
  await hours.save();
  const { exceptions } = studio.self().schedule;
  for (const { id } of $toasts.get()) closeToast(id);
  expect(await reopenDates('2026-12-24', '2026-12-24')).toBe(false);
  expect(toastTexts()).toEqual([expect.stringContaining('Overlaps the hours of the next day')]);
  await reopenDates('2026-12-23', '2026-12-24');
  const undo = $toasts.get().at(-1)?.action;
  await closeDates('2026-12-20', '2026-12-20');
  undo?.run();
  const restored = [{ date: '2026-12-20', windows: [] }, ...exceptions];
  await vi.waitFor(() => expect(studio.self().schedule.exceptions).toEqual(restored));
});
