import { expect, test, vi } from 'vitest';
import type { ListPage } from '#contract/common.ts';
import type { LoginAnswer } from '#contract/login.ts';
import type { Passkey, PasskeyCreationOptions, PasskeyLoginOptions } from '#contract/passkey.ts';
import { lockArtist } from '#server/database/artists.ts';
import { endSessions } from '#server/operations/accounts/sessions.ts';
import { countLockWaiters } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { linkToken } from '#support/mail_links.ts';
import { PASSWORD, PROOF, type TestArtist } from '#support/new_artist.ts';
import { PasskeyDevice } from '#support/passkey_device.ts';
import type { TestApp } from '#support/test_app.ts';

const NOT_VALID = {
  status: 400,
  body: { detail: 'This passkey does not work here. Try again, or log in with your password.' },
};

async function setUp() {
  const { app, artist } = await openArtistApp({ database: 'own' });
  return { app, artist, ...actionsOf(app, artist), ...loginOf(app) };
}

function actionsOf(app: TestApp, { token, self }: TestArtist) {
  const start = async (current_password = PASSWORD) =>
    app.call<PasskeyCreationOptions>('POST /users/me/passkeys/options', {
      token,
      json: { current_password },
    });
  const add = (json: object) => app.call<Passkey>('POST /users/me/passkeys', { token, json });
  const register = async (device: PasskeyDevice) =>
    (await add(device.create((await start()).body.challenge))).body;
  const list = async () =>
    (await app.call<ListPage<Passkey>>('GET /users/me/passkeys', { token })).body.data;
  const remove = (id: string) => app.call(`DELETE /users/me/passkeys/${id}`, { token });
  const subjects = async () => (await app.mailsTo(self.email)).map(({ subject }) => subject);
  return { start, add, register, list, remove, subjects };
}

function loginOf(app: TestApp) {
  const startLogin = async () =>
    (await app.call<PasskeyLoginOptions>('POST /login/passkey/options')).body.challenge;
  const logInWith = (json: object, headers: Record<string, string> = {}) =>
    app.call<LoginAnswer>('POST /login/passkey', { json, headers });
  return { startLogin, logInWith };
}

test('a passkey is added with the password, logs in, and is listed with its last use', async () => {
  const { app, artist, register, list, startLogin, logInWith, subjects } = await setUp();
  const device = new PasskeyDevice();
  const added = await register(device);
  expect(added).toMatchObject({ id: expect.any(String), last_used_at: null });
  const { status, body } = await logInWith(device.sign(await startLogin()));
  expect(status).toBe(200);
  const me = await app.call('GET /users/me', { token: body.access_token });
  expect(me.body).toMatchObject({ id: artist.self.id });
  expect(await list()).toMatchObject([{ id: added.id, last_used_at: expect.any(String) }]);
  expect(await subjects()).toEqual([
    'Linework: a passkey was added',
    'Linework: a login from a new browser',
  ]);
  // The browser is known now.
  const again = { 'Device-Token': body.device_token };
  expect((await logInWith(device.sign(await startLogin()), again)).status).toBe(200);
  expect(await subjects()).toHaveLength(2);
});

test('a stolen token cannot add a passkey: it takes the password', async () => {
  const { app, artist, start, list, add } = await setUp();
  expect((await start('guess')).status).toBe(400);
  const without = await app.call('POST /users/me/passkeys/options', {
    token: artist.token,
    json: {},
  });
  expect(without.status).toBe(422);
  expect(await add(new PasskeyDevice().create('a made-up challenge'))).toMatchObject(NOT_VALID);
  expect(await list()).toEqual([]);
});

test('a removed passkey logs nobody in, and another artist cannot remove it', async () => {
  const { app, register, remove, startLogin, logInWith, subjects } = await setUp();
  const device = new PasskeyDevice();
  const { id } = await register(device);
  const stranger = actionsOf(app, await app.newArtist());
  expect((await stranger.remove(id)).status).toBe(404);
  expect((await remove(id)).status).toBe(204);
  expect((await remove(id)).status).toBe(404);
  expect(await logInWith(device.sign(await startLogin()))).toMatchObject(NOT_VALID);
  expect((await subjects()).at(-1)).toBe('Linework: a passkey was removed');
});

test('each challenge is answered once, and only for what and whom it was given', async () => {
  const { app, register, start, add, startLogin, logInWith } = await setUp();
  const device = new PasskeyDevice();
  await register(device);
  const challenge = await startLogin();
  const signed = device.sign(challenge);
  const answers = await Promise.all([logInWith(signed), logInWith(signed)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect(await logInWith(device.sign(challenge))).toMatchObject(NOT_VALID);
  expect(await logInWith(device.sign((await start()).body.challenge))).toMatchObject(NOT_VALID);
  expect(await add(new PasskeyDevice().create(await startLogin()))).toMatchObject(NOT_VALID);
  const stranger = actionsOf(app, await app.newArtist());
  const foreign = (await stranger.start()).body.challenge;
  expect(await add(new PasskeyDevice().create(foreign))).toMatchObject(NOT_VALID);
  await app.database
    .updateTable('passkey_challenges')
    .set({ expires_at: new Date(0) })
    .execute();
  const late = await startLogin();
  await app.database
    .updateTable('passkey_challenges')
    .set({ expires_at: new Date(0) })
    .execute();
  expect(await logInWith(device.sign(late))).toMatchObject(NOT_VALID);
});

test('what another site or another device has signed is refused, and so is a person who did not show up', async () => {
  const { register, start, add, startLogin, logInWith } = await setUp();
  const device = new PasskeyDevice();
  await register(device);
  const phishing = { origin: 'https://linework.example' };
  expect(await logInWith(device.sign(await startLogin(), phishing))).toMatchObject(NOT_VALID);
  const unverified = { isVerified: false };
  expect(await logInWith(device.sign(await startLogin(), unverified))).toMatchObject(NOT_VALID);
  const { challenge } = (await start()).body;
  expect(await add(new PasskeyDevice().create(challenge, phishing))).toMatchObject(NOT_VALID);
  const { id, rawId } = device.sign('');
  const other = new PasskeyDevice().sign(await startLogin());
  expect(await logInWith({ ...other, id, rawId })).toMatchObject(NOT_VALID);
});

test('a copy of a key that counts less than the key is refused', async () => {
  const { register, startLogin, logInWith } = await setUp();
  const device = new PasskeyDevice();
  await register(device);
  for (let n = 0; n < 2; n += 1)
    expect((await logInWith(device.sign(await startLogin()))).status).toBe(200);
  device.rewindCounter();
  expect(await logInWith(device.sign(await startLogin()))).toMatchObject(NOT_VALID);
});

test('an inactive artist cannot log in with a passkey', async () => {
  const { app, register, startLogin, logInWith } = await setUp();
  const device = new PasskeyDevice();
  await register(device);
  await app.database.updateTable('artists').set({ is_active: false }).execute();
  expect(await logInWith(device.sign(await startLogin()))).toMatchObject({
    status: 400,
    body: { detail: 'This account is not active' },
  });
});

test('a new password by a mailed link or of a superuser removes all passkeys; one that is typed in the studio keeps them', async () => {
  const { app, artist, register, startLogin, logInWith } = await setUp();
  const device = new PasskeyDevice();
  await register(device);
  const json = { current_password: PASSWORD, new_password: 'battery staple' };
  await app.call('PATCH /users/me/password', { token: artist.token, json });
  expect((await logInWith(device.sign(await startLogin()))).status).toBe(200);
  await app.call(`POST /password-recovery/${artist.self.email}`);
  const [mail] = await app.mailsAbout(/choose a new password/);
  const token = linkToken(mail, 'reset-password');
  await app.call('POST /reset-password', { json: { token, new_password: 'another horse' } });
  expect(await logInWith(device.sign(await startLogin()))).toMatchObject(NOT_VALID);
  const other = await app.newArtist();
  const another = new PasskeyDevice();
  await actionsOf(app, other).register(another);
  const change = {
    token: await app.superuserToken(),
    json: { password: 'battery staple', ...PROOF },
  };
  expect((await app.call(`PATCH /users/${other.self.id}`, change)).status).toBe(200);
  expect(await logInWith(another.sign(await startLogin()))).toMatchObject(NOT_VALID);
});

test('no passkey is added for a session that ends while the call runs', async () => {
  const { app, artist, start, add, list } = await setUp();
  const { challenge } = (await start()).body;
  const { id } = artist.self;
  const added = await app.database.transaction().execute(async (transaction) => {
    // As an undo does.
    await lockArtist(transaction, id);
    const status = add(new PasskeyDevice().create(challenge)).then((answer) => answer.status);
    await vi.waitFor(async () => expect(await countLockWaiters(app)).toBe(1), { timeout: 5000 });
    await endSessions(transaction, id);
    return { status };
  });
  expect(await added.status).toBe(401);
  await app.database.updateTable('sessions').set({ ended_at: null }).execute();
  expect(await list()).toEqual([]);
});

test('a passkey of one account is not added to another, also at the same moment', async () => {
  const { app, start, add } = await setUp();
  const other = actionsOf(app, await app.newArtist());
  const device = new PasskeyDevice();
  const challenges = [(await start()).body.challenge, (await other.start()).body.challenge];
  const [one = '', two = ''] = challenges;
  const added = await Promise.all([add(device.create(one)), other.add(device.create(two))]);
  expect(added.map(({ status }) => status).toSorted()).toEqual([201, 400]);
  expect(await add(device.create((await start()).body.challenge))).toMatchObject(NOT_VALID);
});

test('the id of a passkey has at most 1023 bytes', async () => {
  const { start, add } = await setUp();
  const addWith = async (length: number) =>
    add(new PasskeyDevice(undefined, length).create((await start()).body.challenge));
  expect((await addWith(1023)).status).toBe(201);
  for (const length of [1024, 2500]) expect(await addWith(length)).toMatchObject(NOT_VALID);
});

test('an artist has at most twenty passkeys', async () => {
  const { register, start } = await setUp();
  for (let n = 0; n < 20; n += 1) await register(new PasskeyDevice());
  expect((await start()).status).toBe(409);
});
