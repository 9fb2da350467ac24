import { SignJWT } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { revokeTokens, updateArtist } from '#server/database/artists.ts';
import type { Context } from '#server/operations/context.ts';
import { authenticate, changePassword, logIn } from '#server/operations/login.ts';
import { hashPassword } from '#server/operations/password.ts';
import { addArtist, listNotices } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

const PASSWORD = 'correct horse';
const NOT_SIGNED_IN = { reason: 'not_signed_in' };

let password_hash: string;
beforeAll(async () => {
  password_hash = await hashPassword(PASSWORD);
});

async function open() {
  const { context } = await openTestContext();
  const artist = await addArtist(context.database, { password_hash });
  const enter = (username = artist.email, password = PASSWORD) =>
    logIn(context, { username, password });
  return { context, artist, enter };
}

/** A token that only who knows the secret can sign. */
function sign({ tokenSecret: secret }: Context, claims: Record<string, unknown>): Promise<string> {
  return new SignJWT({ version: 1, aud: 'access', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(secret);
}

test('a login in any case of letters gives a token that speaks for the artist', async () => {
  const { context, artist, enter } = await open();
  const before = Math.floor(Date.now() / 1000) * 1000;
  const bearer = await authenticate(context, await enter(artist.email.toUpperCase()));
  expect(bearer).toMatchObject({ id: artist.id, isSuperuser: false });
  expect(bearer.loggedInAt).toBeGreaterThanOrEqual(before);
});

test('a wrong password and an unknown email are the same refusal', async () => {
  const { enter } = await open();
  const wrong = { reason: 'wrong_login' };
  await expect(enter(undefined, 'Correct horse')).rejects.toMatchObject(wrong);
  await expect(enter('nobody@example.com')).rejects.toMatchObject(wrong);
});

test('an artist who is not active hears so after the right password alone', async () => {
  const { context, artist, enter } = await open();
  await updateArtist(context.database, artist.id, { is_active: false });
  await expect(enter()).rejects.toMatchObject({ reason: 'artist_inactive' });
  await expect(enter(undefined, 'wrong')).rejects.toMatchObject({ reason: 'wrong_login' });
});

test('tokens end when they are revoked, and when the artist is not active', async () => {
  const { context, artist, enter } = await open();
  const first = await enter();
  await revokeTokens(context.database, artist.id);
  await expect(authenticate(context, first)).rejects.toMatchObject(NOT_SIGNED_IN);
  const second = await enter();
  await updateArtist(context.database, artist.id, { is_active: false });
  await expect(authenticate(context, second)).rejects.toMatchObject(NOT_SIGNED_IN);
});

test('tokens of another kind, another key or another shape speak for nobody', async () => {
  const { context, artist } = await open();
  const other = { ...context, tokenSecret: new TextEncoder().encode('another secret than ours') };
  const tokens = [
    'no token',
    '',
    await sign(other, { sub: artist.id }),
    await sign(context, { sub: artist.id, aud: 'recovery' }),
    await sign(context, { sub: 'no uuid' }),
    await sign(context, { sub: artist.id, version: 1.5 }),
    await sign(context, { sub: artist.id, version: 2 ** 40 }),
    await sign(context, {}),
  ];
  for (const token of tokens)
    await expect(authenticate(context, token), token).rejects.toMatchObject(NOT_SIGNED_IN);
});

test('a new password ends the tokens of before, gives a new one and is told by mail', async () => {
  const { context, artist, enter } = await open();
  const before = await enter();
  const token = await changePassword(context, artist.id, {
    current_password: PASSWORD,
    new_password: 'battery staple',
  });
  await expect(authenticate(context, before)).rejects.toMatchObject(NOT_SIGNED_IN);
  expect((await authenticate(context, token)).id).toBe(artist.id);
  await expect(enter()).rejects.toMatchObject({ reason: 'wrong_login' });
  expect(await listNotices(context.database, artist.id)).toEqual([
    `password_changed to ${artist.email}`,
  ]);
});

test('without the current password nothing is changed', async () => {
  const { context, artist, enter } = await open();
  const wrong = { current_password: 'wrong', new_password: 'battery staple' };
  const changing = changePassword(context, artist.id, wrong);
  await expect(changing).rejects.toMatchObject({ reason: 'wrong_password' });
  expect(await enter()).toBeTruthy();
});

test('of two new passwords at once one is set, and the other is signed out', async () => {
  const { context, artist } = await open();
  const change = (new_password: string) =>
    changePassword(context, artist.id, { current_password: PASSWORD, new_password });
  const settled = await Promise.allSettled([change('battery one'), change('battery two')]);
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: NOT_SIGNED_IN,
  });
});
