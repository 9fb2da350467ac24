import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { changeAppointment, createAppointment } from '#contract/endpoints.ts';
import { localDateAt } from '#domain/time/format_time.ts';
import { resolveWallTime } from '#domain/time/wall_clock.ts';
import { openArtistApp } from '#support/artist_app.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { addMinutes, type TestApp } from '#support/test_app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ZONE = 'America/New_York';

/** The start of an appointment some days ahead, on the hour. */
function daysAhead(days: number): number {
  return Math.ceil(Date.now() / HOUR) * HOUR + days * DAY;
}

/** An app whose reminder task has run before: the first run sends nothing that was due earlier. */
async function openAfterFirstRun() {
  const { app, artist } = await openArtistApp({ database: 'own' });
  await app.runMinutelyTasks();
  return { app, artist };
}

/** The artist creates a confirmed appointment of an hour. */
async function book(
  app: TestApp,
  { token }: TestArtist,
  start: number,
  email: string | null = 'rosa@example.com',
): Promise<string> {
  const at = new Date(start).toISOString();
  const json = { client: { first_name: 'Rosa', email }, start: at, end: addMinutes(at, 59) };
  return (await call(app.http(token), createAppointment, { body: json })).id;
}

function change(app: TestApp, { token }: TestArtist, id: string, json: object) {
  return call(app.http(token), changeAppointment, { path: { appt_id: id }, body: json });
}

/** Deletes the queued mails; returns the hours of the reminders among them, ascending. */
async function takeQueuedReminders({ database }: TestApp): Promise<number[]> {
  const mails = await database
    .deleteFrom('mails')
    .where('status', '=', 'queued')
    .returning('notice')
    .execute();
  return mails
    .flatMap(({ notice }) => (notice.kind === 'reminder' ? [notice.hours] : []))
    .sort((one, other) => one - other);
}

test('a client is reminded exactly once, 72 and 24 hours before the appointment', async () => {
  const { app, artist } = await openAfterFirstRun();
  const start = daysAhead(5);
  await book(app, artist, start);
  for (const hours of [72, 24]) {
    await app.runMinutelyTasks(start - hours * HOUR - MINUTE);
    expect(await takeQueuedReminders(app)).toEqual([]);
    await app.runMinutelyTasks(start - hours * HOUR);
    expect(await takeQueuedReminders(app)).toEqual([hours]);
    await app.runMinutelyTasks(start - hours * HOUR);
    await app.runMinutelyTasks(start - hours * HOUR + MINUTE);
    expect(await takeQueuedReminders(app)).toEqual([]);
  }
  await app.runMinutelyTasks(start);
  expect(await takeQueuedReminders(app)).toEqual([]);
});

test('reminder hours that are unknown, too many or duplicate are invalid; others are sorted', async () => {
  const { app, token, self } = await openArtistApp();
  expect(self.reminder_hours).toEqual([72, 24]);
  const choose = (reminder_hours: readonly number[]) =>
    app.call<CurrentArtist>('PATCH /users/me', { token, json: { reminder_hours } });
  for (const hours of [[5], [2, 4, 12, 24], [24, 24]])
    expect((await choose(hours)).status).toBe(422);
  expect((await choose([2, 168, 12])).body.reminder_hours).toEqual([168, 12, 2]);
});

test('moving an appointment moves its reminders', async () => {
  const { app, artist } = await openAfterFirstRun();
  const [start, moved] = [daysAhead(5), daysAhead(8)];
  const id = await book(app, artist, start);
  await app.runMinutelyTasks(start - 72 * HOUR);
  expect(await takeQueuedReminders(app)).toEqual([72]);
  const at = new Date(moved).toISOString();
  await change(app, artist, id, { start: at, end: addMinutes(at, 59) });
  await app.runMinutelyTasks(start - 24 * HOUR);
  expect(await takeQueuedReminders(app)).toEqual([]);
  await app.runMinutelyTasks(moved - 72 * HOUR);
  await app.runMinutelyTasks(moved - 24 * HOUR);
  expect(await takeQueuedReminders(app)).toEqual([24, 72]);
});

/** The next date, at least a week ahead, on which daylight saving begins (`forward`) or ends. */
function nextClockChange(forward: boolean): string {
  const first = Math.ceil(Date.now() / DAY) * DAY + 7 * DAY;
  for (let at = first; at < first + 400 * DAY; at += DAY) {
    const date = localDateAt(ZONE, at + 12 * HOUR);
    const length =
      resolveWallTime(ZONE, date, 24 * 60).instant - resolveWallTime(ZONE, date, 0).instant;
    if (forward ? length < DAY : length > DAY) return date;
  }
  throw new Error('No clock change in the next 400 days');
}

test.each([
  ['forward', '13:00'],
  ['back', '15:00'],
] as const)(
  'when clocks go %s, a reminder is still sent 24 elapsed hours before (daylight saving)',
  async (direction, localTime) => {
    const { app, artist } = await openAfterFirstRun();
    const date = nextClockChange(direction === 'forward');
    const start = resolveWallTime(ZONE, date, 14 * 60).instant;
    await book(app, artist, start);
    await app.runMinutelyTasks(start - 24 * HOUR - MINUTE);
    await takeQueuedReminders(app);
    await app.runMinutelyTasks(start - 24 * HOUR);
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, timeStyle: 'short' });
    expect(clock.format(start - 24 * HOUR)).toBe(localTime);
    expect(await takeQueuedReminders(app)).toEqual([24]);
  },
);
