import { hash } from '@node-rs/argon2';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, expect, test, vi } from 'vitest';
import { lockArtist, revokeTokens, updateArtist } from '#server/database/artists.ts';
import { issueDeviceToken } from '#server/operations/accounts/device_token.ts';
import { changePassword, logIn } from '#server/operations/accounts/login.ts';
import { hashPassword } from '#server/operations/accounts/password.ts';
import { authenticate as authenticateAt } from '#server/operations/accounts/sessions.ts';
import type { Context } from '#server/operations/context.ts';
import { createTokenKeys } from '#server/operations/token_keys.ts';
import { countLockWaiters } from '#support/app_rows.ts';
import { addArtist, listNotices } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

const PASSWORD = 'correct horse';
const FROM = {
  network: '192.0.2.1',
  deviceToken: undefined,
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
  timeZone: 'Europe/Berlin',
};
const NOT_SIGNED_IN = { reason: 'not_signed_in' };
const WRONG_LOGIN = { reason: 'wrong_login' };

let password_hash: string;
beforeAll(async () => {
  password_hash = await hashPassword(PASSWORD);
});

async function setUp() {
  const { context } = await openTestContext();
  const artist = await addArtist(context.database, { password_hash });
  const logInArtist = async (username = artist.email, password = PASSWORD) =>
    (await logIn(context, { username, password }, FROM)).accessToken;
  const ownerOf = async () => authenticate(context, await logInArtist());
  return { context, artist, logInArtist, ownerOf };
}

/** Signs any claims, by default with the key of the server and as the server does. */
function sign(
  { tokenKeys }: Pick<Context, 'tokenKeys'>,
  claims: Record<string, unknown>,
  { alg = 'HS256', expiry = '1h' } = {},
): Promise<string> {
  return new SignJWT({ version: 1, aud: 'access', ...claims })
    .setProtectedHeader({ alg })
    .setIssuedAt()
    .setExpirationTime(expiry)
    .sign(tokenKeys.signing);
}

const authenticate = (context: Context, token: string) =>
  authenticateAt(context, token, Date.now());

test('a wrong password and an unknown email get the same refusal', async () => {
  const { logInArtist } = await setUp();
  await expect(logInArtist(undefined, 'Correct horse')).rejects.toMatchObject(WRONG_LOGIN);
  await expect(logInArtist('nobody@example.com')).rejects.toMatchObject(WRONG_LOGIN);
});

test('a password with accents is right from any keyboard, also if it was hashed as it was typed', async () => {
  const { context, artist, logInArtist } = await setUp();
  const [composed, decomposed] = ['Crème brûlée'.normalize(), 'Crème brûlée'.normalize('NFD')];
  await updateArtist(context.database, artist.id, { password_hash: await hash(decomposed) });
  await expect(logInArtist(undefined, 'Creme brulee')).rejects.toMatchObject(WRONG_LOGIN);
  for (const typed of [decomposed, composed, decomposed])
    expect(await logInArtist(undefined, typed), typed).toBeTruthy();
});

test('an inactive artist learns of it only with the correct password', async () => {
  const { context, artist, logInArtist } = await setUp();
  await updateArtist(context.database, artist.id, { is_active: false });
  await expect(logInArtist()).rejects.toMatchObject({ reason: 'artist_inactive' });
  await expect(logInArtist(undefined, 'wrong')).rejects.toMatchObject(WRONG_LOGIN);
});

test('tokens stop working when they are revoked, and when the artist becomes inactive', async () => {
  const { context, artist, logInArtist } = await setUp();
  const first = await logInArtist();
  await revokeTokens(context.database, artist.id);
  await expect(authenticate(context, first)).rejects.toMatchObject(NOT_SIGNED_IN);
  const second = await logInArtist();
  await updateArtist(context.database, artist.id, { is_active: false });
  await expect(authenticate(context, second)).rejects.toMatchObject(NOT_SIGNED_IN);
});

test('tokens with another key or audience, not signed, expired, cut off or with invalid claims are refused', async () => {
  const { context, artist, logInArtist } = await setUp();
  const { jti = '' } = decodeJwt(await logInArtist());
  const other = { tokenKeys: createTokenKeys(Buffer.from('another secret than ours')) };
  const claims = { jti, sub: artist.id };
  const right = await sign(context, claims);
  expect(await authenticate(context, right)).toMatchObject({ id: artist.id });
  const tokens = [
    'no token',
    '',
    'x'.repeat(20_000),
    right.slice(0, -2),
    right.replace(/\.(..)/, '.eyJ'),
    await sign(other, claims),
    await sign(context, claims, { alg: 'HS512' }),
    await sign(context, claims, { expiry: '-1 minute' }),
    new UnsecuredJWT({ version: 1, aud: 'access', ...claims }).setExpirationTime('1h').encode(),
    await sign(context, { ...claims, aud: 'recovery' }),
    await sign(context, { ...claims, aud: undefined }),
    await issueDeviceToken(context, artist.id, { hasLoggedIn: true }),
    await sign(context, { ...claims, sub: 'no uuid' }),
    await sign(context, { ...claims, version: 2 }),
    await sign(context, { ...claims, version: 1.5 }),
    await sign(context, { ...claims, version: 2 ** 40 }),
    await sign(context, { ...claims, version: undefined }),
    await sign(context, { jti }),
    await sign(context, { sub: artist.id }),
    await sign(context, { ...claims, jti: 'no uuid' }),
  ];
  for (const token of tokens)
    await expect(authenticate(context, token), token).rejects.toMatchObject(NOT_SIGNED_IN);
});

test('changing the password revokes earlier tokens, returns a new one and mails the artist', async () => {
  const { context, artist, logInArtist } = await setUp();
  const before = await logInArtist();
  const token = await changePassword(context, await authenticate(context, before), {
    current_password: PASSWORD,
    new_password: 'battery staple',
  });
  await expect(authenticate(context, before)).rejects.toMatchObject(NOT_SIGNED_IN);
  expect((await authenticate(context, token)).id).toBe(artist.id);
  await expect(logInArtist()).rejects.toMatchObject({ reason: 'wrong_login' });
  expect(await listNotices(context.database, artist.id)).toEqual([
    `password_changed to ${artist.email}`,
  ]);
});

test('changing the password without the current one is refused and changes nothing', async () => {
  const { context, logInArtist, ownerOf } = await setUp();
  const wrong = { current_password: 'wrong', new_password: 'battery staple' };
  const change = changePassword(context, await ownerOf(), wrong);
  await expect(change).rejects.toMatchObject({ reason: 'wrong_password' });
  expect(await logInArtist()).toBeTruthy();
});

test('of two concurrent password changes, one succeeds and the other is signed out', async () => {
  const { context, artist, ownerOf } = await setUp();
  const owner = await ownerOf();
  // Each of a server of its own: changes of one process wait for each other without a lock.
  const change = (new_password: string) => {
    const server = { ...context, database: context.database.withoutPlugins() };
    return changePassword(server, owner, { current_password: PASSWORD, new_password });
  };
  // Both read the password before either saves a new one.
  const pending = await context.database.transaction().execute(async (transaction) => {
    await lockArtist(transaction, artist.id);
    const both = Promise.allSettled([change('battery one'), change('battery two')]);
    await vi.waitFor(async () => expect(await countLockWaiters(context)).toBe(2), {
      timeout: 5000,
    });
    return { both };
  });
  const settled = await pending.both;
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: NOT_SIGNED_IN,
  });
});
