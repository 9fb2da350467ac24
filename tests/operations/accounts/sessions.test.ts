import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '#domain/time/time.ts';
import { logIn } from '#server/operations/accounts/login.ts';
import {
  authenticate as authenticateAt,
  countSecurityEvents,
  endOtherSessions,
  endSession,
  insertSession,
  listSecurityEvents,
  listSessions,
  logOut,
} from '#server/operations/accounts/sessions.ts';
import type { Context } from '#server/operations/context.ts';
import { addArtist } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { PASSWORD, PASSWORD_HASH } from '#support/new_artist.ts';
import { openTestContext } from '#support/test_context.ts';

const NOT_SIGNED_IN = { reason: 'not_signed_in' };
const PAGE = { skip: 0, limit: 100 };
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function setUp() {
  const { context } = await openTestContext();
  const artist = await addArtist(context.database, { password_hash: PASSWORD_HASH });
  const logInWith = async (userAgent: string, timeZone?: string) => {
    const source = { network: '192.0.2.1', deviceToken: undefined, userAgent, timeZone };
    const login = { username: artist.email, password: PASSWORD };
    return (await logIn(context, login, source)).accessToken;
  };
  return { context, artist, logInWith };
}

const authenticate = (context: Context, token: string) =>
  authenticateAt(context, token, Date.now());

async function setLastUse({ database }: Context, artistId: string, at: number): Promise<void> {
  await database
    .updateTable('sessions')
    .set({ last_used_at: new Date(at) })
    .where('artist_id', '=', artistId)
    .execute();
}

test('sessions are listed with their browser and zone, the last used first', async () => {
  const { context, artist, logInWith } = await setUp();
  await logInWith(FIREFOX, 'Europe/Berlin');
  await setLastUse(context, artist.id, Date.now() - HOUR_MS);
  const owner = await authenticate(context, await logInWith('curl/8.1'));
  const { data, count } = await listSessions(context, owner, Date.now());
  expect(count).toBe(2);
  expect(data).toMatchObject([
    { id: owner.sessionId, browser: null, time_zone: null, is_current: true },
    { browser: 'Firefox on Linux', time_zone: 'Europe/Berlin', is_current: false },
  ]);
});

test('logging out ends the token, and no other', async () => {
  const { context, logInWith } = await setUp();
  const [one, other] = [await logInWith(FIREFOX), await logInWith(FIREFOX)];
  await logOut(context, await authenticate(context, one));
  await expect(authenticate(context, one)).rejects.toMatchObject(NOT_SIGNED_IN);
  expect(await authenticate(context, other)).toBeTruthy();
});

test('an artist ends one of their sessions, once', async () => {
  const { context, logInWith } = await setUp();
  const [token, phone] = [await logInWith(FIREFOX), await logInWith(FIREFOX)];
  const owner = await authenticate(context, token);
  const { sessionId } = await authenticate(context, phone);
  await endSession(context, owner, sessionId);
  await expect(authenticate(context, phone)).rejects.toMatchObject(NOT_SIGNED_IN);
  const again = endSession(context, owner, sessionId);
  await expect(again).rejects.toMatchObject({ reason: 'not_found' });
});

test('ending all other sessions revokes every token but the new one', async () => {
  const { context, logInWith } = await setUp();
  const [token, phone] = [await logInWith(FIREFOX), await logInWith(FIREFOX)];
  const newToken = await endOtherSessions(context, await authenticate(context, token));
  for (const old of [token, phone])
    await expect(authenticate(context, old)).rejects.toMatchObject(NOT_SIGNED_IN);
  const owner = await authenticate(context, newToken);
  expect((await listSessions(context, owner, Date.now())).count).toBe(1);
});

test('a session ends 30 days after its last use, and each use starts the 30 days again', async () => {
  const { context, artist, logInWith } = await setUp();
  const token = await logInWith(FIREFOX);
  await setLastUse(context, artist.id, Date.now() - 29 * DAY_MS);
  await authenticate(context, token);
  const { last_used_at } = await context.database
    .selectFrom('sessions')
    .select('last_used_at')
    .where('artist_id', '=', artist.id)
    .executeTakeFirstOrThrow();
  expect(last_used_at.getTime()).toBeGreaterThan(Date.now() - HOUR_MS);
  await setLastUse(context, artist.id, Date.now() - 30 * DAY_MS - 1000);
  await expect(authenticate(context, token)).rejects.toMatchObject(NOT_SIGNED_IN);
});

test('what happened to the account is listed for its artist, and counted for operators', async () => {
  const { context, artist, logInWith } = await setUp();
  const countOf = async (kind: string) =>
    (await countSecurityEvents(context)).data.find((row) => row.kind === kind)?.last_day ?? 0;
  const before = await countOf('session_ended');
  const owner = await authenticate(context, await logInWith(FIREFOX, 'Asia/Tokyo'));
  const { sessionId } = await authenticate(context, await logInWith(FIREFOX));
  await endSession(context, owner, sessionId);
  const { data } = await listSecurityEvents(context, artist.id, PAGE);
  expect(data).toMatchObject([
    { kind: 'session_ended', browser: 'Firefox on Linux', time_zone: 'Asia/Tokyo' },
    { kind: 'new_browser_login' },
    { kind: 'new_browser_login', browser: 'Firefox on Linux', time_zone: 'Asia/Tokyo' },
  ]);
  expect(await countOf('session_ended')).toBeGreaterThanOrEqual(before + 1);
});

test('a login beyond a hundred sessions ends the one that was used least recently', async () => {
  const { context, artist } = await setUp();
  const insert = () => inTransaction(context.database, insertSession, { artist_id: artist.id });
  const owner = { id: artist.id, sessionId: artist.id };
  const listIds = async () =>
    (await listSessions(context, owner, Date.now())).data.map(({ id }) => id);
  const oldest = await insert();
  await setLastUse(context, artist.id, Date.now() - DAY_MS);
  for (let n = 1; n < 100; n += 1) await insert();
  expect(await listIds()).toContain(oldest);
  await insert();
  expect(await listIds()).toHaveLength(100);
  expect(await listIds()).not.toContain(oldest);
});
