import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time.ts';
import { findAppointment } from '#server/database/appointments.ts';
import { expireHolds } from '#server/operations/expire_holds.ts';
import {
  addAppointment,
  addArtist,
  listNotices,
  NOON,
  occupiesTime,
} from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

async function open() {
  const { context, jobs } = await openTestContext();
  const artist = await addArtist(context.database);
  const release = (span: { start: number; end: number } | null, except?: string) =>
    context.database
      .transaction()
      .execute((transaction) => expireHolds(context, transaction, artist.id, span, NOON, except));
  const notices = () => listNotices(context.database, artist.id);
  return { ...context, artist, release, notices, queued: jobs };
}

test('the client of a lapsed hold is told, and of a lapsed offer the artist too', async () => {
  const { database, artist, release, notices, queued } = await open();
  const lapsesAt = NOON - HOUR_MS;
  await addAppointment(database, artist, { status: 'held', expiresAt: lapsesAt });
  await addAppointment(database, artist, {
    status: 'offered',
    start: NOON + 2 * HOUR_MS,
    expiresAt: lapsesAt,
    email: 'max@example.com',
  });
  await release(null);
  expect((await notices()).toSorted()).toEqual([
    'expired to max@example.com',
    'expired to rosa@example.com',
    `offer_lapsed to ${artist.email}`,
  ]);
  expect(queued).toHaveLength(3);
});

test('an expiry is told once, whoever comes first', async () => {
  const { database, artist, release, notices } = await open();
  await addAppointment(database, artist, { status: 'held', expiresAt: NOON });
  await release({ start: NOON, end: NOON + HOUR_MS });
  await release(null);
  expect(await notices()).toEqual(['expired to rosa@example.com']);
});

test('holds that last, lie elsewhere or are being changed stay as they are', async () => {
  const { database, artist, release, notices } = await open();
  const lasting = await addAppointment(database, artist, { status: 'held', expiresAt: NOON + 1 });
  const elsewhere = await addAppointment(database, artist, {
    status: 'held',
    start: NOON + 5 * HOUR_MS,
    expiresAt: NOON,
  });
  await release({ start: NOON, end: NOON + HOUR_MS });
  await release(null, elsewhere);
  expect([await occupiesTime(database, lasting), await occupiesTime(database, elsewhere)]).toEqual([
    true,
    true,
  ]);
  expect(await notices()).toEqual([]);
});

test('an expiry that is taken back with its transaction is not told', async () => {
  const { context } = await openTestContext();
  const { database } = context;
  const artist = await addArtist(database);
  const id = await addAppointment(database, artist, { status: 'held', expiresAt: NOON });
  const failing = database.transaction().execute(async (transaction) => {
    await expireHolds(context, transaction, artist.id, null, NOON);
    throw new Error('Something else failed');
  });
  await expect(failing).rejects.toThrow('Something else failed');
  expect((await findAppointment(database, artist.id, id))?.status).toBe('held');
  expect(await listNotices(database, artist.id)).toEqual([]);
});
