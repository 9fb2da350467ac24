import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time/time.ts';
import { findPasswordHash, findTokenOwner, updateArtist } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import type { TokenOwner } from '#server/operations/accounts/sessions.ts';
import type { Context } from '#server/operations/context.ts';
import {
  deleteAccount,
  deleteOwnAccount,
  updateAccount,
} from '#server/operations/studio/accounts.ts';
import { addAppointment, addArtist, NOON } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

const NOT_ALLOWED = { reason: 'not_allowed' };
const NOW = Date.now();

function bearerOf({ id }: { id: string }, isSuperuser = false): TokenOwner {
  return { id, sessionId: id, isSuperuser, isEmailProven: true };
}

async function setUp(changes: Partial<Context> = {}) {
  const opened = await openTestContext(changes);
  const { database } = opened.context;
  const superuser = await addArtist(database, { is_superuser: true });
  const artist = await addArtist(database);
  return { ...opened, database, superuser: bearerOf(superuser, true), artist };
}

/** By address: the artist of these appointments is deleted. */
async function noticesTo(database: Database, address: string) {
  const rows = await database
    .selectFrom('mails')
    .select('notice')
    .where('address', '=', address)
    .execute();
  return rows.map(({ notice }) => notice);
}

test('when a superuser deactivates an account, its access tokens end for good', async () => {
  const { context, database, superuser, artist, invalidatedTags } = await setUp();
  const version = (await findPasswordHash(database, artist.id))?.token_version ?? 0;
  const changed = await updateAccount(context, superuser, artist.id, { is_active: false });
  expect(changed.is_active).toBe(false);
  await updateArtist(database, artist.id, { is_active: true });
  const token = { artistId: artist.id, version, sessionId: artist.id };
  expect(await findTokenOwner(database, token)).toBeUndefined();
  expect(invalidatedTags).toContain(`username:${artist.username}`);
});

test('a superuser sets a new password for an artist', async () => {
  const { context, database, superuser, artist } = await setUp();
  const before = await findPasswordHash(database, artist.id);
  await updateAccount(context, superuser, artist.id, { password: 'battery staple' });
  const after = await findPasswordHash(database, artist.id);
  expect(after?.password_hash).toMatch(/^\$argon2id/);
  expect(after?.token_version).toBe((before?.token_version ?? 0) + 1);
});

test('superusers cannot demote, deactivate or delete themselves', async () => {
  const { context, superuser } = await setUp();
  for (const changes of [{ is_active: false }, { is_superuser: false }])
    await expect(updateAccount(context, superuser, superuser.id, changes)).rejects.toMatchObject(
      NOT_ALLOWED,
    );
  await expect(deleteAccount(context, superuser, superuser.id)).rejects.toMatchObject(NOT_ALLOWED);
  await expect(deleteOwnAccount(context, superuser, NOW)).rejects.toMatchObject(NOT_ALLOWED);
});

test('of two calls at the same time that delete an account, one succeeds and the other is no longer logged in', async () => {
  const { context, artist } = await setUp();
  const calls = [1, 2].map(() => deleteOwnAccount(context, bearerOf(artist), NOW));
  const results = await Promise.allSettled(calls);
  const refusals = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason] : [],
  );
  expect(refusals).toMatchObject([{ reason: 'not_signed_in' }]);
});

test('deleting an account mails clients with upcoming appointments or requests, not those with past or expired ones', async () => {
  const { context, database, artist } = await setUp();
  const own = (name: string) => `${name}-${artist.id}@example.com`;
  await addAppointment(database, artist, { email: own('booked') });
  await addAppointment(database, artist, { email: own('asked'), status: 'requested', start: null });
  await addAppointment(database, artist, { email: own('came'), start: NOW - 48 * HOUR_MS });
  await addAppointment(database, artist, {
    email: own('late'),
    status: 'held',
    start: NOON + 5 * HOUR_MS,
    expiresAt: NOW - 1,
  });
  await deleteOwnAccount(context, bearerOf(artist), NOW);
  expect(await noticesTo(database, own('booked'))).toMatchObject([
    { kind: 'cancelled', appointment: { isGone: true, wasBooked: true, version: 2 } },
  ]);
  expect(await noticesTo(database, own('asked'))).toMatchObject([
    { kind: 'cancelled', appointment: { wasBooked: false } },
  ]);
  expect(await noticesTo(database, own('came'))).toEqual([]);
  expect(await noticesTo(database, own('late'))).toEqual([]);
});
