import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ServiceRequest } from '#contract/appointment.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, toRfc3339 } from '#domain/time/time.ts';
import { openDatabase } from '#server/database/connect.ts';
import { requestAppointment } from '#server/operations/appointments/booking.ts';
import { confirmAppointment } from '#server/operations/appointments/confirmation.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { ROSA_DETAILS } from '#support/sample_people.ts';
import { openTestContext } from '#support/test_context.ts';

const FIRST_START = Math.ceil(Date.now() / DAY_MS + 2) * DAY_MS;
const CLIENTS = 20;

/**
 * Statements are planned while the database is empty, and the plans stay in use while it grows.
 * All run on one connection, which has the plans and counts what they read.
 */
test('a booking reads no whole table, and as few clients on a site that has grown as on a new one', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  await using database = openDatabase(app.databaseUrl, 1);
  const { context } = await openTestContext({ database });
  const book = async (number: number) => {
    const start = FIRST_START + number * HOUR_MS;
    const request = ServiceRequest.parse({
      ...ROSA_DETAILS,
      email: `client-${number}@example.com`,
      service_id: artist.service.id,
      start: toRfc3339(start),
      end: toRfc3339(start + HOUR_MS - MINUTE_MS),
    });
    const sender = { network: '192.0.2.0/24', now: Date.now() };
    const { id } = await requestAppointment(context, artist.username, request, sender);
    await confirmAppointment(context, id, sender);
  };
  const countReads = async () => {
    await sql`SELECT pg_stat_force_next_flush()`.execute(database);
    const { rows } = await sql<{ reads: number }>`
      SELECT (seq_tup_read + idx_tup_fetch)::int AS reads FROM pg_stat_user_tables
      WHERE relname = 'clients'`.execute(database);
    return rows[0]?.reads ?? Number.NaN;
  };
  const reads: number[] = [];
  for (let number = 0; number < CLIENTS; number += 1) {
    const before = await countReads();
    await book(number);
    reads.push((await countReads()) - before);
  }
  expect(reads.at(-1)).toBe(reads[1]);

  const { rows } = await sql<{ statement: string }>`
    SELECT statement FROM pg_prepared_statements`.execute(database);
  expect(rows.length).toBeGreaterThan(5);
  for (const { statement } of rows) {
    const plan = await sql`EXPLAIN (GENERIC_PLAN, VERBOSE) ${sql.raw(statement)}`.execute(database);
    expect.soft(JSON.stringify(plan.rows, null, 1)).not.toMatch(/Seq Scan|hashed/);
  }
});
