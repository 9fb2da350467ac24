import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time/time.ts';
import {
  listMovableTimes,
  listTimes,
  releaseTimes,
  updateTimes,
} from '#server/database/appointment_times.ts';
import { deleteOlderThan } from '#server/database/in_batches.ts';
import {
  findStudioChange,
  markStudioChangeUndone,
  replaceStudioChange,
} from '#server/database/studio_changes.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, addArtist, NOON } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { NEW_YORK } from '#support/sample_people.ts';

test('an artist’s last change is stored, marked as undone, and deleted when it is old', async () => {
  const { database, artist } = await openArtistContext();
  const time = { start: NOON, end: NOON, blockedUntil: NOON, isReserved: true, expiresAt: null };
  const changeIn = (zone: string) => {
    const before = { ...NEW_YORK, address_two: null, time_zone: zone };
    const agreed = { ...time, agreed: { zone, local: '2030-06-03T07:00' } };
    const moved = [{ id: artist.id, appointmentId: artist.id, before: agreed, after: time }];
    const mails = { mailIds: [], replacedMailIds: [] };
    return {
      kind: 'studio' as const,
      undoUntil: NOON,
      before,
      studioKnown: before,
      moved,
      ...mails,
    };
  };
  const change = changeIn('America/New_York');
  const kind = async () => (await findStudioChange(database, artist.id))?.kind;
  await replaceStudioChange(database, artist.id, { ...change, kind: 'time_changes' });
  expect(await kind()).toBe('time_changes');
  // An older server stores its change without a kind.
  const stored = { undo_until: new Date(NOON - HOUR_MS) };
  await database.updateTable('studio_changes').set(stored).execute();
  expect(await kind()).toBe('studio');
  // By now, the zone has another name.
  await replaceStudioChange(database, artist.id, changeIn('US/Eastern'));
  expect(await findStudioChange(database, artist.id)).toEqual({ ...change, isUndone: false });
  await markStudioChangeUndone(database, artist.id, NOON);
  expect((await findStudioChange(database, artist.id))?.isUndone).toBe(true);
  await deleteOlderThan(database, 'studio_changes', 'undo_until', NOON);
  expect(await findStudioChange(database, artist.id)).toBeDefined();
  await deleteOlderThan(database, 'studio_changes', 'undo_until', NOON + 1);
  expect(await findStudioChange(database, artist.id)).toBeUndefined();
});

test('times of appointments that are not over can move, also those of expired holds', async () => {
  const { database, artist } = await openArtistContext();
  const at = (hours: number, status: 'confirmed' | 'expired' | 'cancelled' | 'completed') =>
    addAppointment(database, artist, { status, start: NOON + hours * HOUR_MS });
  const movable = [await at(1, 'confirmed'), await at(3, 'expired'), await at(-5, 'confirmed')];
  await at(5, 'cancelled');
  await at(7, 'completed');
  await at(-100, 'confirmed');
  const times = await listMovableTimes(database, artist.id, NOON);
  expect(new Set(times.map(({ appointmentId }) => appointmentId))).toEqual(new Set(movable));
});

test('the times of another artist are neither read, released nor moved', async () => {
  const { database, artist } = await openArtistContext();
  await addAppointment(database, artist);
  const before = await listMovableTimes(database, artist.id, NOON);
  const [{ id, time } = { id: '', time: null }] = before;
  if (time === null) throw new Error('There is no time');
  const other = await addArtist(database);
  await inTransaction(database, releaseTimes, other.id, [id]);
  await inTransaction(database, updateTimes, other.id, [
    { id, time: { ...time, start: time.start - HOUR_MS } },
  ]);
  expect(await listTimes(database, other.id, [id])).toEqual([]);
  expect(await listTimes(database, artist.id, [id])).toEqual(before);
});
