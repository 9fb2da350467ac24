import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Availability } from '#contract/availability.ts';
import { listOverlappingAppointments } from '#server/database/appointment_lists.ts';
import { findCalendar } from '#server/database/calendar.ts';
import type { Database } from '#server/database/connect.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { validationMessages } from '#support/problems.ts';
import { createDailySchedule } from '#support/sample_people.ts';
import { addMinutes, bookSlot, findSlot, openTestApp, type TestApp } from '#support/test_app.ts';

function monthOf(year: number, month: number) {
  const first = Date.UTC(year, month - 1, 1);
  const days = Math.round((Date.UTC(year, month, 1) - first) / 86_400_000);
  const dates = Array.from({ length: days }, (_, day) =>
    new Date(first + day * 86_400_000).toISOString().slice(0, 10),
  );
  const [year_, month_] = (dates[0] ?? '').split('-').map(Number);
  return { query: `year=${year_}&month=${month_}`, dates };
}

function readMonth(app: TestApp, path: string, query: string, token?: string) {
  return expectOk(app.call<Availability>(`GET ${path}/availability?${query}`, { token }));
}

const AT_MIDNIGHT = { ...createDailySchedule('00:00', '24:00'), slot_interval_minutes: 1440 };

test.each([
  ['Pacific/Kiritimati', 1, -1, 'T10:00:00Z'],
  ['Pacific/Auckland', 1, -1, 'T11:00:00Z'],
  ['Pacific/Auckland', 7, -1, 'T12:00:00Z'],
  ['Pacific/Pago_Pago', 1, 0, 'T11:00:00Z'],
])(
  'a month in %s lists exactly its local dates (month %i)',
  async (time_zone, month, days, time) => {
    const app = await openTestApp();
    const { token, service } = await app.newArtist({ time_zone, schedule: AT_MIDNIGHT });
    await expectOk(app.call('PATCH /users/me/booking_range', { token, json: { kind: 'open' } }));
    // Next January may have begun there, and nobody can book more than 24 months ahead.
    const nextMonth = new Date(Date.now() + 31 * 86_400_000);
    const { query, dates } = monthOf(nextMonth.getUTCFullYear() + 1, month);
    const { data } = await readMonth(app, `/services/${service.id}`, query);
    expect(data.map(({ date, windows }) => [date, windows[0]?.start])).toEqual(
      dates.map((date) => [
        date,
        `${addMinutes(`${date}T00:00:00Z`, days * 1440).slice(0, 10)}${time}`,
      ]),
    );
  },
);

test('availability requires a valid year and month', async () => {
  const app = await openTestApp();
  const { service, self, token } = await app.newArtist();
  for (const path of [`/services/${service.id}`, `/users/${self.id}`, '/users'])
    for (const [query, ...fields] of [
      ['year=2030&month=13', 'query.month'],
      ['year=2030&month=0', 'query.month'],
      ['year=2030&month=abc', 'query.month'],
      ['year=2030&month=1.5', 'query.month'],
      ['year=2030&month=', 'query.month'],
      ['year=2030', 'query.month'],
      ['year=0&month=1', 'query.year'],
      ['year=9999&month=1', 'query.year'],
      ['year=1e99&month=1', 'query.year'],
      ['', 'query.year', 'query.month'],
    ]) {
      const response = await app.call(`GET ${path}/availability?${query}`, { token });
      expect(Object.keys(validationMessages(response)), query).toEqual(fields);
    }
  for (const year of [2000, 2199])
    expect(await readMonth(app, '/users', `year=${year}&month=12`, token)).toMatchObject({
      data: [],
    });
});

test('reading the availability or the schedule of a month scans no past appointments', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  await bookSlot(app, artist, await findSlot(app, artist));
  await addPastAppointments(app, artist, 5000);
  const start = Date.now();
  const month = { start, end: start + 31 * 86_400_000 };
  const query = { firstDate: '2026-12-01', lastDate: '2026-12-31', span: month, now: start };
  const { id } = artist.self;
  for (const read of [
    (from: Database) => findCalendar(from, id, query),
    (from: Database) => listOverlappingAppointments(from, id, month),
  ])
    await app.database.transaction().execute(async (transaction) => {
      const before = await countRowsRead(transaction);
      await read(transaction);
      const after = await countRowsRead(transaction);
      expect(after.scanned - before.scanned).toBe(0);
      expect(after.fetched - before.fetched).toBeGreaterThan(0);
      expect(after.fetched - before.fetched).toBeLessThan(50);
    });
});

/** Confirmed appointments of an hour each, one after another, up to a day ago. */
async function addPastAppointments(
  { database }: TestApp,
  { self }: TestArtist,
  count: number,
): Promise<void> {
  await sql`
    WITH a AS (SELECT gen_random_uuid() AS id, n, studio_id AS studio
      FROM artists, generate_series(1, ${count}::int) n WHERE artists.id = ${self.id}),
    c AS (INSERT INTO clients (artist_id) VALUES (${self.id}) RETURNING id),
    t AS (INSERT INTO appointment_times (appointment_id, artist_id, studio_id, during, blocked, occupies)
      SELECT id, ${self.id}, studio, d, d, true FROM a, tstzrange(
        now() - (n + 24) * interval '1 hour', now() - (n + 23) * interval '1 hour') d)
    INSERT INTO appointments (id, artist_id, studio_id, client_id, status)
      SELECT a.id, ${self.id}, studio, c.id, 'confirmed' FROM a, c
  `.execute(database);
  await sql`ANALYZE appointments, appointment_times`.execute(database);
}

/** How many rows of times the transaction has read, by scanning the table and by its indexes. */
async function countRowsRead(transaction: Database) {
  const { rows } = await sql<{ scanned: number; fetched: number }>`
    SELECT seq_tup_read::int AS scanned, idx_tup_fetch::int AS fetched
    FROM pg_stat_xact_user_tables WHERE relname = 'appointment_times'
  `.execute(transaction);
  return { scanned: 0, fetched: 0, ...rows[0] };
}
