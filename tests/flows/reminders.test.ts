import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  bookService,
  changeAppointment,
  createAppointment,
  deleteAppointment,
} from '#client/appointments.ts';
import { changeMe } from '#client/artists.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { localDateAt, resolveWallTime } from '#domain/time.ts';
import { expectOk } from '#support/calls.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { newsOf } from '#support/rows.ts';
import { minutesAfter, openTestApp, type TestApp } from '#support/test_app.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ZONE = 'America/New_York';

/** The start of an appointment some days ahead, on the hour. */
function daysAhead(days: number): number {
  return Math.ceil(Date.now() / HOUR) * HOUR + days * DAY;
}

/** A studio whose reminders have been looked for already. */
async function openSwept() {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  await studio.minute();
  return { studio, artist };
}

/** The artist enters an appointment of an hour. */
async function book(
  studio: TestApp,
  { token }: TestArtist,
  start: number,
  email: string | null = 'rosa@example.com',
): Promise<string> {
  const at = new Date(start).toISOString();
  const json = { client: { first_name: 'Rosa', email }, start: at, end: minutesAfter(at, 59) };
  return (await createAppointment(studio.http(token), json)).id;
}

function change(studio: TestApp, { token }: TestArtist, id: string, json: object) {
  return changeAppointment(studio.http(token), id, json);
}

function choose(studio: TestApp, { token }: TestArtist, reminder_hours: readonly number[]) {
  return expectOk(
    studio.call<CurrentArtist>('PATCH /users/me', { token, json: { reminder_hours } }),
  );
}

/** The hours of the reminders that were queued since this was last asked, smallest first. */
async function reminders({ database }: TestApp): Promise<number[]> {
  const mails = await database
    .deleteFrom('mails')
    .where('status', '=', 'queued')
    .returning('notice')
    .execute();
  return mails
    .flatMap(({ notice }) => (notice.kind === 'reminder' ? [notice.hours] : []))
    .sort((one, other) => one - other);
}

test('a client is reminded 72 and 24 hours ahead, to the minute and once', async () => {
  const { studio, artist } = await openSwept();
  const start = daysAhead(5);
  await book(studio, artist, start);
  for (const hours of [72, 24]) {
    await studio.minute(start - hours * HOUR - MINUTE);
    expect(await reminders(studio)).toEqual([]);
    await studio.minute(start - hours * HOUR);
    expect(await reminders(studio)).toEqual([hours]);
    await studio.minute(start - hours * HOUR);
    await studio.minute(start - hours * HOUR + MINUTE);
    expect(await reminders(studio)).toEqual([]);
  }
  await studio.minute(start);
  expect(await reminders(studio)).toEqual([]);
});

test('artists choose when their clients are reminded, and whether', async () => {
  const { studio, artist } = await openSwept();
  const other = await studio.artist();
  const start = daysAhead(9);
  for (const one of [artist, other]) await book(studio, one, start);
  expect((await choose(studio, artist, [2, 168, 12])).reminder_hours).toEqual([168, 12, 2]);
  await choose(studio, other, []);
  for (const hours of [168, 72, 48, 24, 12, 4, 2]) {
    await studio.minute(start - hours * HOUR);
    expect(await reminders(studio)).toEqual([168, 12, 2].includes(hours) ? [hours] : []);
  }
});

test('a reminder comes at the new hours once they are changed', async () => {
  const { studio, artist } = await openSwept();
  const start = daysAhead(5);
  await book(studio, artist, start);
  await studio.minute(start - 72 * HOUR);
  expect(await reminders(studio)).toEqual([72]);
  await choose(studio, artist, [48]);
  await studio.minute(start - 48 * HOUR);
  expect(await reminders(studio)).toEqual([48]);
  await studio.minute(start - 24 * HOUR);
  expect(await reminders(studio)).toEqual([]);
});

test('hours that are not offered, too many, or twice the same are refused', async () => {
  const studio = await openTestApp();
  const { token, self } = await studio.artist();
  expect(self.reminder_hours).toEqual([72, 24]);
  for (const reminder_hours of [[5], [2, 4, 12, 24], [24, 24]]) {
    const answer = await studio.call('PATCH /users/me', { token, json: { reminder_hours } });
    expect(answer.status).toBe(422);
  }
});

test('of two servers in the same minute, one reminds', async () => {
  const { studio, artist } = await openSwept();
  const other = await studio.another();
  const start = daysAhead(5);
  for (let n = 0; n < 6; n += 1) await book(studio, artist, start + n * HOUR);
  const at = start - 24 * HOUR + 5 * HOUR;
  await Promise.all([studio, other, studio, other].map((server) => server.minute(at)));
  expect(await reminders(studio)).toEqual([24, 24, 24, 24, 24, 24]);
});

test('a server whose clock is behind reminds nobody twice', async () => {
  const { studio, artist } = await openSwept();
  const other = await studio.another();
  const start = daysAhead(5);
  await book(studio, artist, start);
  const at = start - 24 * HOUR;
  await studio.minute(at + MINUTE);
  await other.minute(at - MINUTE);
  await studio.minute(at + 2 * MINUTE);
  expect(await reminders(studio)).toEqual([24]);
});

test('a reminder moves with its appointment', async () => {
  const { studio, artist } = await openSwept();
  const [start, moved] = [daysAhead(5), daysAhead(8)];
  const id = await book(studio, artist, start);
  await studio.minute(start - 72 * HOUR);
  expect(await reminders(studio)).toEqual([72]);
  const at = new Date(moved).toISOString();
  await change(studio, artist, id, { start: at, end: minutesAfter(at, 59) });
  await studio.minute(start - 24 * HOUR);
  expect(await reminders(studio)).toEqual([]);
  await studio.minute(moved - 72 * HOUR);
  await studio.minute(moved - 24 * HOUR);
  expect(await reminders(studio)).toEqual([24, 72]);
});

test('an appointment that is no more, or not confirmed, reminds nobody', async () => {
  const { studio, artist } = await openSwept();
  const start = daysAhead(5);
  const cancelled = await book(studio, artist, start);
  await change(studio, artist, cancelled, { status: 'cancelled' });
  await book(studio, artist, start + 2 * HOUR, null);
  const at = new Date(start + 4 * HOUR).toISOString();
  await bookService(
    studio.http(),
    artist.username,
    {
      email: 'otto@example.com',
      service_id: artist.service.id,
      start: at,
      end: minutesAfter(at, 59),
    },
    randomUUID(),
  );
  await studio.minute(start + 5 * HOUR - 24 * HOUR);
  expect(await reminders(studio)).toEqual([]);
});

test('whoever books after the moment is not reminded of it', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const start = Math.ceil(Date.now() / HOUR) * HOUR + 20 * HOUR;
  await studio.minute(start - 30 * HOUR);
  await book(studio, artist, start);
  await studio.minute();
  expect(await reminders(studio)).toEqual([]);
});

test('after a pause, clients are reminded once of what is still ahead', async () => {
  const { studio, artist } = await openSwept();
  const start = daysAhead(9);
  await choose(studio, artist, [72, 24, 2]);
  await book(studio, artist, start);
  await book(studio, artist, start + 12 * HOUR);
  await studio.minute(start - 90 * HOUR);
  await studio.minute(start + MINUTE);
  expect(await reminders(studio)).toEqual([24]);
});

test('the first server that ever looks reminds of nothing that was due before', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const start = daysAhead(2);
  await book(studio, artist, start);
  await studio.minute(start - 20 * HOUR);
  expect(await reminders(studio)).toEqual([]);
});

test('a reminder says what is so when it is queued', async () => {
  const { studio, artist } = await openSwept();
  const start = daysAhead(5);
  const id = await book(studio, artist, start);
  const json = { studio: { address_one: '2 New Street' } };
  await changeMe(studio.http(artist.token), json);
  await newsOf(studio);
  await studio.minute(start - 24 * HOUR);
  const [mail] = await studio.database.selectFrom('mails').select(['notice', 'address']).execute();
  expect(mail).toMatchObject({
    address: 'rosa@example.com',
    notice: {
      kind: 'reminder',
      hours: 24,
      appointment: {
        id,
        wasBooked: true,
        time: { start, end: start + HOUR },
        studio: { address_one: '2 New Street' },
      },
    },
  });
});

test('a reminder that is no longer so when its turn comes is dropped', async () => {
  const { studio, artist } = await openSwept();
  const start = daysAhead(5);
  const [kept, cancelled, moved, gone] = [
    await book(studio, artist, start),
    await book(studio, artist, start + HOUR),
    await book(studio, artist, start + 2 * HOUR),
    await book(studio, artist, start + 3 * HOUR),
  ];
  await newsOf(studio);
  await studio.minute(start + 3 * HOUR - 24 * HOUR);
  await change(studio, artist, cancelled, { status: 'cancelled' });
  const at = new Date(start + 6 * HOUR).toISOString();
  await change(studio, artist, moved, { start: at, end: minutesAfter(at, 59) });
  await change(studio, artist, gone, { status: 'cancelled' });
  await deleteAppointment(studio.http(artist.token), gone);
  const rosa = 'rosa@example.com';
  expect(kept).not.toBe(cancelled);
  expect(await newsOf(studio)).toEqual([
    `cancelled to ${rosa}`,
    `cancelled to ${rosa}`,
    `moved to ${rosa}`,
    `reminder to ${rosa}`,
    ...Array.from({ length: 3 }, () => `reminder to ${rosa}, dropped`),
  ]);
});

/** The next date, at least a week ahead, on which clocks change: `forward` or back. */
function nextChange(forward: boolean): string {
  const first = Math.ceil(Date.now() / DAY) * DAY + 7 * DAY;
  for (let at = first; at < first + 400 * DAY; at += DAY) {
    const date = localDateAt(ZONE, at + 12 * HOUR);
    const length =
      resolveWallTime(ZONE, date, 24 * 60).instant - resolveWallTime(ZONE, date, 0).instant;
    if (forward ? length < DAY : length > DAY) return date;
  }
  throw new Error('Clocks change no more');
}

test.each([
  ['forward', '13:00'],
  ['back', '15:00'],
] as const)(
  'clocks that go %s shift no reminder: it comes 24 elapsed hours ahead',
  async (way, shown) => {
    const { studio, artist } = await openSwept();
    const date = nextChange(way === 'forward');
    const start = resolveWallTime(ZONE, date, 14 * 60).instant;
    await book(studio, artist, start);
    await studio.minute(start - 24 * HOUR - MINUTE);
    await reminders(studio);
    await studio.minute(start - 24 * HOUR);
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, timeStyle: 'short' });
    expect(clock.format(start - 24 * HOUR)).toBe(shown);
    expect(await reminders(studio)).toEqual([24]);
  },
);
