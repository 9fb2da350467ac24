import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { changeSchedule } from '#client/artists.ts';
import { countRows, expireAppointment } from '#support/app_rows.ts';
import type { ApiResponse } from '#support/call_api.ts';
import { TIME_TAKEN } from '#support/problems.ts';
import {
  bookSlot,
  findSlot,
  openTestApp,
  requestSlot,
  shiftSlot,
  type TestApp,
} from '#support/test_app.ts';

/** How often each status came. */
function tally(answers: readonly ApiResponse[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test.each([
  ['one server', 1],
  ['two servers', 2],
])('of a hundred clients who ask %s for the same time at once, one gets it', async (_, servers) => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const apps = [app, ...(servers === 2 ? [await app.openSecondServer()] : [])];
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      requestSlot(apps[n % servers] ?? app, artist, slot, { email: `client${n}@example.com` }),
    ),
  );
  expect(tally(answers)).toEqual({ 201: 1, 409: 99 });
  for (const answer of answers) if (answer.status === 409) expect(answer).toMatchObject(TIME_TAKEN);
  expect(await countRows(app)).toEqual({ appointments: 1, clients: 1, kept: 1 });
  expect(apps.flatMap(({ logged }) => logged)).toEqual([]);
});

test('clients who race for times that overlap in part never get two of them', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const json = { slot_interval_minutes: 20, buffer_minutes: 10 };
  await changeSchedule(app.http(artist.token), json);
  const slot = await findSlot(app, artist, 72);
  const other = await app.openSecondServer();
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      requestSlot(n % 2 ? app : other, artist, shiftSlot(slot, 20 * (n % 12)), {
        email: `client${n}@example.com`,
      }),
    ),
  );
  const { 201: made = 0, 409: refused = 0 } = tally(answers);
  expect(made + refused).toBe(60);
  expect(made).toBeGreaterThanOrEqual(2);
  expect(await countRows(app)).toEqual({ appointments: made, clients: made, kept: made });
  expect(await overlaps(app)).toBe(0);
});

test('of two lapsed holds of one time, whoever confirms first keeps it', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const other = await app.openSecondServer();
  const holds: string[] = [];
  for (const email of ['first@example.com', 'second@example.com']) {
    const body = await bookSlot(app, artist, slot, { email });
    await expireAppointment(app, body.id);
    holds.push(body.id);
  }
  const confirm = (id: string) =>
    Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? app : other).call(`POST /appointments/confirmation/${id}`),
      ),
    );
  const answers = await Promise.all(holds.map(confirm));
  expect(answers.map(tally)).toEqual(
    expect.arrayContaining([expect.objectContaining({ 200: 10 }), { 409: 10 }]),
  );
  expect(await countRows(app)).toMatchObject({ kept: 1 });
});

test('a late confirmation and a new request never both get the time', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const other = await app.openSecondServer();
  const body = await bookSlot(app, artist, slot);
  await expireAppointment(app, body.id);
  const answers = await Promise.all([
    ...Array.from({ length: 5 }, () => other.call(`POST /appointments/confirmation/${body.id}`)),
    ...Array.from({ length: 5 }, (_, n) =>
      requestSlot(app, artist, slot, { email: `client${n}@example.com` }),
    ),
  ]);
  const confirmed = tally(answers.slice(0, 5));
  const requested = tally(answers.slice(5));
  const outcomes = [confirmed, requested];
  if (confirmed[200]) expect(outcomes).toEqual([{ 200: 5 }, { 409: 5 }]);
  else expect(outcomes).toEqual([{ 409: 5 }, { 201: 1, 409: 4 }]);
  expect(await countRows(app)).toMatchObject({ kept: 1 });
});

test('the database refuses an overlap of an artist by itself, and only of one artist', async () => {
  const app = await openTestApp();
  const [artist, other] = [await app.newArtist(), await app.newArtist()];
  const body = await bookSlot(app, artist, await findSlot(app, artist));
  const keepAgain = (artistId: string, occupies: boolean) =>
    app.database
      .insertInto('appointment_times')
      .columns(['appointment_id', 'artist_id', 'place_id', 'during', 'blocked', 'occupies'])
      .expression((eb) =>
        eb
          .selectFrom('appointment_times')
          .select(['appointment_id', sql<string>`${artistId}::uuid`.as('artist_id'), 'place_id'])
          .select(['during', 'blocked', sql<boolean>`${occupies}::boolean`.as('occupies')])
          .where('appointment_id', '=', body.id)
          .limit(1),
      )
      .execute();
  await expect(keepAgain(artist.self.id, true)).rejects.toMatchObject({
    code: '23P01',
    constraint: 'no_double_booking',
  });
  await keepAgain(artist.self.id, false);
  await keepAgain(other.self.id, true);
});

/** Pairs of kept times that reach into one another. */
async function overlaps({ database }: TestApp): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM appointment_times AS a
    JOIN appointment_times AS b ON a.id < b.id AND a.blocked && b.blocked
    WHERE a.occupies AND b.occupies
  `.execute(database);
  return rows[0]?.count;
}
