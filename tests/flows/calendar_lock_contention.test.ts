import pg from 'pg';
import { expect, test } from 'vitest';
import { findSlot, openTestApp, requestSlot } from '#support/test_app.ts';

/** More than the connections of the pool. */
const WAITERS = 40;

test('bookings that wait for the calendar lock of one artist hold no connections', async () => {
  const app = await openTestApp({ database: 'own' });
  const busy = await app.newArtist();
  const other = await app.newArtist();
  const slot = await findSlot(app, busy);
  const holder = new pg.Client({ connectionString: app.databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [busy.self.id]);
  const waiting = Array.from({ length: WAITERS }, () => requestSlot(app, busy, slot));
  try {
    expect(await app.call(`GET /users/artist/${other.username}`)).toMatchObject({ status: 200 });
    const otherBooking = await requestSlot(app, other, await findSlot(app, other));
    expect(otherBooking.status).toBe(201);
    const outcome = await Promise.race([Promise.any(waiting).then(() => 'responded'), 'waiting']);
    expect(outcome).toBe('waiting');
  } finally {
    await holder.query('COMMIT');
    await holder.end();
  }
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(WAITERS - 1);
});
