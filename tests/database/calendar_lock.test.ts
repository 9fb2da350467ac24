import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { withCalendarLock } from '#server/database/calendar_lock.ts';
import { type Database, openDatabase } from '#server/database/connect.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

test('changes of one artist’s calendar run one at a time, across servers', async () => {
  const { database, databaseUrl } = await openTestApp();
  const otherServer = openDatabase(databaseUrl, 5);
  const artist = await addArtist(database);
  let running = 0;
  let maxRunning = 0;
  const work = async (transaction: Database) => {
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    // Long enough for the others to begin, if they could.
    await sql`SELECT pg_sleep(0.1)`.execute(transaction);
    running -= 1;
  };
  const servers = [database, otherServer, database, otherServer, database, otherServer];
  await Promise.all(servers.map((server) => withCalendarLock(server, artist.id, work)));
  await otherServer.destroy();
  expect(maxRunning).toBe(1);
});

test('the lock of one artist’s calendar does not block another artist’s', async () => {
  const { database } = await openTestApp();
  const [one, other] = [await addArtist(database), await addArtist(database)];
  const order: string[] = [];
  await withCalendarLock(database, one.id, async () => {
    await withCalendarLock(database, other.id, async () => {
      order.push('other');
    });
    order.push('one');
  });
  expect(order).toEqual(['other', 'one']);
});

test('the time passed to the work never goes back from one change to the next', async () => {
  const { database, artist } = await openArtistContext();
  const times: number[] = [];
  const work = async (_transaction: unknown, now: number) => {
    times.push(now);
  };
  await Promise.all([1, 2, 3, 4].map(() => withCalendarLock(database, artist.id, work)));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test('an overlap that the database refuses becomes time_taken, and nothing is saved', async () => {
  const { database, artist } = await openArtistContext();
  await addAppointment(database, artist);
  const booking = withCalendarLock(database, artist.id, async (transaction) => {
    await addAppointment(transaction, artist, { lastName: 'Second' });
  });
  await expect(booking).rejects.toMatchObject({ reason: 'time_taken' });
  const rows = await database
    .selectFrom('appointments')
    .select('last_name')
    .where('artist_id', '=', artist.id)
    .execute();
  expect(rows).toEqual([{ last_name: 'Quint' }]);
});

test.each(['40P01', '40001'])(
  'work that fails with %s is retried three times, then refused as busy',
  async (code) => {
    const { database, artist } = await openArtistContext();
    let attempts = 0;
    const failing = withCalendarLock(database, artist.id, async (transaction) => {
      attempts += 1;
      const raise = `DO $$ BEGIN RAISE EXCEPTION 'In the way' USING ERRCODE = '${code}'; END $$`;
      await sql.raw(raise).execute(transaction);
    });
    await expect(failing).rejects.toMatchObject({ reason: 'busy' });
    expect(attempts).toBe(4);
  },
);

test('other errors are thrown without a retry, and do not block the next change', async () => {
  const { database, artist } = await openArtistContext();
  let attempts = 0;
  const failing = withCalendarLock(database, artist.id, async () => {
    attempts += 1;
    throw new Error('A bug');
  });
  const next = withCalendarLock(database, artist.id, async () => 'done');
  await expect(failing).rejects.toThrow('A bug');
  expect([attempts, await next]).toEqual([1, 'done']);
});
