import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { withCalendarLock } from '#server/database/calendar_lock.ts';
import { openDatabase } from '#server/database/connect.ts';
import { addAppointment, addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

test('changes of one artist’s calendar happen one at a time, in two servers too', async () => {
  const { database, databaseUrl } = await openTestApp();
  const another = openDatabase(databaseUrl, 5);
  const artist = await addArtist(database);
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  const servers = [database, another, database, another, database, another];
  await Promise.all(servers.map((server) => withCalendarLock(server, artist.id, work)));
  await another.destroy();
  expect(most).toBe(1);
});

test('another artist’s calendar does not wait', async () => {
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

test('now is read once it is this one’s turn, and never goes back', async () => {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const times: number[] = [];
  const work = async (_transaction: unknown, now: number) => {
    times.push(now);
  };
  await Promise.all([1, 2, 3, 4].map(() => withCalendarLock(database, artist.id, work)));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test('an overlap that the database refuses is the refusal time_taken, and nothing is saved', async () => {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
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
  'work that fails with %s is tried three times more, then busy',
  async (code) => {
    const { database } = await openTestApp();
    const artist = await addArtist(database);
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

test('other errors are thrown at once, and the next change goes on', async () => {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  let attempts = 0;
  const failing = withCalendarLock(database, artist.id, async () => {
    attempts += 1;
    throw new Error('A bug');
  });
  const next = withCalendarLock(database, artist.id, async () => 'done');
  await expect(failing).rejects.toThrow('A bug');
  expect([attempts, await next]).toEqual([1, 'done']);
});
