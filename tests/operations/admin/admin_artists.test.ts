import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#domain/time/time.ts';
import { deleteArtist } from '#server/database/accounts.ts';
import { insertAdminAction } from '#server/database/admin_actions.ts';
import { updateArtist } from '#server/database/artists.ts';
import { insertSecurityEvent } from '#server/database/security_events.ts';
import {
  renderRecoveryMail,
  resetPassword,
} from '#server/operations/accounts/password_recovery.ts';
import type { TokenOwner } from '#server/operations/accounts/sessions.ts';
import { listAdminActions } from '#server/operations/admin/admin_actions.ts';
import {
  createRecoveryLink,
  listAdminArtists,
  setArtistActive,
} from '#server/operations/admin/admin_artists.ts';
import { deleteAccount, updateAccount } from '#server/operations/studio/accounts.ts';
import { createArtist } from '#server/operations/studio/artists.ts';
import { addArtist, listNotices } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { PASSWORD } from '#support/new_artist.ts';
import { UNKNOWN_ID } from '#support/problems.ts';
import { NEW_YORK } from '#support/sample_people.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const NOW = Date.now();
const PAGE = { skip: 0, limit: 10 };
const BROWSER = { userAgent: undefined, deviceToken: undefined, timeZone: undefined };

async function setUp() {
  const { database } = await openTestApp({ database: 'own' });
  const { context } = await openTestContext({ database });
  const { id } = await addArtist(database, { username: 'boss', is_superuser: true });
  const boss: TokenOwner = {
    ...{ id, sessionId: id, isSuperuser: true, isEmailProven: true },
  };
  const artist = await addArtist(database, { username: 'ana' });
  const actions = async () =>
    (await listAdminActions(context, PAGE)).data.map(({ kind, artist: of }) => `${kind} ${of}`);
  return { context, database, boss, artist, actions };
}

test('deactivating and activating an account is recorded once, however often it is asked for', async () => {
  const { context, boss, artist, actions } = await setUp();
  const inactive = await setArtistActive(context, boss, artist.id, false);
  expect(inactive).toMatchObject({ is_active: false, inactive_since: expect.any(String) });
  await setArtistActive(context, boss, artist.id, false);
  expect(await setArtistActive(context, boss, artist.id, true)).toMatchObject({
    is_active: true,
    inactive_since: null,
  });
  expect(await actions()).toEqual(['account_reactivated ana', 'account_deactivated ana']);
});

test('superusers cannot deactivate themselves, nor an unknown account', async () => {
  const { context, boss, actions } = await setUp();
  await expect(setArtistActive(context, boss, boss.id, false)).rejects.toMatchObject({
    reason: 'not_allowed',
  });
  await expect(setArtistActive(context, boss, UNKNOWN_ID, false)).rejects.toMatchObject({
    reason: 'not_found',
  });
  expect(await actions()).toEqual([]);
});

test('a recovery link sets a new password once within an hour, and the artist is informed by a mail', async () => {
  const { context, database, boss, artist, actions } = await setUp();
  const { url, expires_at } = await createRecoveryLink(context, boss, artist.id);
  expect(Math.abs(Date.parse(expires_at) - NOW - HOUR_MS)).toBeLessThan(MINUTE_MS);
  expect(await listNotices(database, artist.id)).toEqual([
    'recovery_link_created to ana@example.com',
  ]);
  expect(await actions()).toEqual(['recovery_link_created ana']);
  expect(url).toMatch(/^http:\/\/linework\.test\/reset-password\?token=[\w-]{32}$/);
  const body = {
    token: new URL(url).searchParams.get('token') ?? '',
    new_password: 'battery staple',
  };
  await resetPassword(context, body, BROWSER);
  await expect(resetPassword(context, body, BROWSER)).rejects.toMatchObject({
    reason: 'link_not_valid',
  });
});

test('a recovery link needs an active account, and is then neither made nor recorded', async () => {
  const { context, database, boss, actions } = await setUp();
  const gone = await addArtist(database, { is_active: false });
  await expect(createRecoveryLink(context, boss, gone.id)).rejects.toMatchObject({
    reason: 'account_not_active',
  });
  await expect(createRecoveryLink(context, boss, UNKNOWN_ID)).rejects.toMatchObject({
    reason: 'not_found',
  });
  expect(await actions()).toEqual([]);
  const tokens = await database.selectFrom('password_recoveries').select('artist_id').execute();
  expect(tokens).toEqual([]);
});

test.each([
  ['demoted', { is_superuser: false }],
  ['deactivated', { is_active: false }],
])('a link of a superuser who was %s since does not work', async (_, change) => {
  const { context, database, boss, artist } = await setUp();
  const { id } = await addArtist(database, { is_superuser: true });
  const other = { ...boss, id, sessionId: id };
  const { url } = await createRecoveryLink(context, other, artist.id);
  await updateAccount(context, boss, id, change);
  const token = new URL(url).searchParams.get('token') ?? '';
  const body = { token, new_password: 'battery staple' };
  await expect(resetPassword(context, body, BROWSER)).rejects.toMatchObject({
    reason: 'link_not_valid',
  });
});

test('what a superuser does to accounts is recorded, with the names of the fields; of deleted accounts, without their names', async () => {
  const { context, database, boss } = await setUp();
  const account = {
    ...{ email: 'bo@example.com', full_name: 'Bo', username: 'bo', password: PASSWORD },
    ...{ studio_name: 'Quint', ...NEW_YORK },
    ...{ address_two: null, is_active: true, is_superuser: false },
  };
  const { id, email } = await createArtist(context, account, { superuserId: boss.id });
  await updateAccount(context, boss, id, { about_me: 'Birds', is_active: true });
  await updateAccount(context, boss, id, { password: 'battery staple' });
  await renderRecoveryMail(context, boss, email);
  await deleteAccount(context, boss, id);
  const { data, count } = await listAdminActions(context, PAGE);
  expect(count).toBe(5);
  expect(data.map(({ kind, detail }) => [kind, detail])).toEqual([
    ['account_deleted', null],
    ['recovery_link_created', null],
    ['account_changed', 'password'],
    ['account_changed', 'about_me'],
    ['account_created', null],
  ]);
  expect(data[0]).toMatchObject({ superuser: 'boss', artist: null });
  await inTransaction(database, deleteArtist, boss.id);
  const { data: after } = await listAdminActions(context, PAGE);
  expect(after).toEqual(data.map((action) => ({ ...action, superuser: null })));
});

test('accounts are found by a part of their name, username or email, or by the id that the log names, the newest first, without anything that only their artist needs', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const { id } = await addArtist(database, { username: 'ana', full_name: 'Ana Reyes' });
  await addArtist(database, { username: 'bo', email: 'REYES@example.com', is_superuser: true });
  await addArtist(database, { username: 'cleo', is_active: false });
  const find = (search: string | undefined) => listAdminArtists({ database }, { search, ...PAGE });
  const namesOf = async (search: string | undefined) =>
    (await find(search)).data.map(({ username }) => username);
  const [ana] = (await find('ana')).data;
  expect(Object.keys(ana ?? {}).sort()).toEqual([
    ...['created_at', 'email', 'email_proven', 'full_name', 'id', 'inactive_since'],
    ...['is_active', 'is_superuser', 'last_login_at', 'username'],
  ]);
  expect(await namesOf(undefined)).toEqual(['cleo', 'bo', 'ana']);
  expect(await namesOf('reyes')).toEqual(['bo', 'ana']);
  expect(await namesOf('CLE')).toEqual(['cleo']);
  expect(await namesOf('%')).toEqual([]);
  expect(await namesOf(id.toUpperCase())).toEqual(['ana']);
  expect(await namesOf(id.slice(1))).toEqual([]);
});

test('an account shows its last login, and since when it is inactive', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const { id } = await addArtist(database);
  const load = async () => (await listAdminArtists({ database }, { search: id, ...PAGE })).data;
  expect(await load()).toMatchObject([{ last_login_at: null, inactive_since: null }]);
  const login = { artist_id: id, kind: 'new_browser_login', happened_at: new Date(0) } as const;
  await insertSecurityEvent(database, login);
  await insertSecurityEvent(database, { artist_id: id, kind: 'password_changed' });
  const superuser = await addArtist(database, { is_superuser: true });
  const action = {
    superuser_id: superuser.id,
    artist_id: id,
    kind: 'account_deactivated',
  } as const;
  await inTransaction(database, insertAdminAction, action);
  // It was deactivated, and is active again.
  expect(await load()).toMatchObject([
    { last_login_at: '1970-01-01T00:00:00Z', inactive_since: null },
  ]);
  await updateArtist(database, id, { is_active: false });
  expect(await load()).toMatchObject([{ inactive_since: expect.any(String) }]);
});
