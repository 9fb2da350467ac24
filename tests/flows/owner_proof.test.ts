import { expect, test } from 'vitest';
import type { PasskeyCreationOptions, PasskeyLoginOptions } from '#contract/passkey.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { createSignup, PASSWORD, PROOF, type TestArtist } from '#support/new_artist.ts';
import { PasskeyDevice } from '#support/passkey_device.ts';
import { validationMessages } from '#support/problems.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

const MISSING = { 'body.current_password': 'Password is required' };

async function addPasskey(app: TestApp, { token }: TestArtist): Promise<PasskeyDevice> {
  const device = new PasskeyDevice();
  const path = 'POST /users/me/passkeys/options';
  const { body } = await app.call<PasskeyCreationOptions>(path, { token, json: PROOF });
  const json = device.create(body.challenge);
  expect((await app.call('POST /users/me/passkeys', { token, json })).status).toBe(201);
  return device;
}

async function sign(app: TestApp, device: PasskeyDevice) {
  const { body } = await app.call<PasskeyLoginOptions>('POST /login/passkey/options');
  return { passkey: device.sign(body.challenge) };
}

async function endedSession(app: TestApp, { self, token }: TestArtist): Promise<string> {
  const form = { username: self.email, password: PASSWORD };
  await app.call('POST /login/access-token', { form });
  const { body } = await app.call<{ data: { id: string; is_current: boolean }[] }>(
    'GET /users/me/sessions',
    { token },
  );
  return `DELETE /users/me/sessions/${body.data.find(({ is_current }) => !is_current)?.id}`;
}

const OWN_CALLS: Record<string, (app: TestApp, artist: TestArtist) => Promise<string> | string> = {
  'end another session': endedSession,
  'end all other sessions': () => 'POST /users/me/sessions/end-others',
  'delete the account': () => 'DELETE /users/me',
};

test.each(Object.entries(OWN_CALLS))('a token alone cannot %s', async (_title, find) => {
  const app = await openTestApp();
  const [artist, other] = [await app.newArtist(), await app.newArtist()];
  const { token } = artist;
  const call = await find(app, artist);
  const send = (json: object) => app.call(call, { token, json });
  expect(validationMessages(await send({}))).toEqual(MISSING);
  expect((await app.call(call, { token })).status).toBe(422);
  expect((await send({ current_password: 'guess' })).status).toBe(400);
  const device = await addPasskey(app, artist);
  const foreign = await sign(app, await addPasskey(app, other));
  expect((await send(foreign)).status).toBe(400);
  expect((await app.call('GET /users/me', { token })).status).toBe(200);
  const proof = await sign(app, device);
  expect((await send(proof)).status).toBeLessThan(300);
});

test('a signature of a passkey proves its owner once', async () => {
  const { app, artist } = await openArtistApp();
  const json = await sign(app, await addPasskey(app, artist));
  const path = 'POST /users/me/sessions/end-others';
  const first = await app.call<{ access_token: string }>(path, { token: artist.token, json });
  expect(first.status).toBe(200);
  expect((await app.call(path, { token: first.body.access_token, json })).status).toBe(400);
});

test('of wrong passwords and passkeys, ten an hour are checked of a session, and the owner can end it', async () => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const [{ self, token }, other] = [await app.newArtist(), await app.newArtist()];
  const device = await addPasskey(app, other);
  const guess = async (json: object) =>
    (await app.call('DELETE /users/me', { token, json })).status;
  for (let tries = 0; tries < 5; tries++) {
    const json = { email: 'thief@example.com', current_password: 'guess' };
    expect((await app.call('PATCH /users/me', { token, json })).status).toBe(400);
    expect(await guess(await sign(app, device))).toBe(400);
  }
  expect(await guess(PROOF)).toBe(429);

  const form = { username: self.email, password: PASSWORD };
  const { body } = await app.call<{ access_token: string }>('POST /login/access-token', { form });
  const owner = { token: body.access_token, json: PROOF };
  expect((await app.call('POST /users/me/sessions/end-others', owner)).status).toBe(200);
  expect((await app.call('GET /users/me', { token })).status).toBe(401);
});

test.each([
  ['deactivate', 'PATCH /users/ID', { is_active: false }],
  ['rename', 'PATCH /users/ID', { username: 'renamed' }],
  ['promote', 'PATCH /users/ID', { is_superuser: true }],
  ['give another email to', 'PATCH /users/ID', { email: 'thief@example.com' }],
  ['give another password to', 'PATCH /users/ID', { password: 'battery staple' }],
  ['deactivate', 'POST /admin/artists/ID/deactivate', {}],
  ['make a recovery link for', 'POST /admin/artists/ID/recovery-link', {}],
  ['read a recovery mail of', 'POST /password-recovery-html-content/EMAIL', {}],
  ['delete', 'DELETE /users/ID', {}],
])('the token of a superuser alone cannot %s an artist: %s', async (_verb, call, json) => {
  const { app, self } = await openArtistApp({ database: 'own' });
  const token = await app.superuserToken();
  const path = call.replace('ID', self.id).replace('EMAIL', self.email);
  const send = (proof: object) => app.call(path, { token, json: { ...json, ...proof } });
  expect(validationMessages(await send({}))).toEqual(MISSING);
  expect((await send({ current_password: 'guess' })).status).toBe(400);
  expect((await app.call(`GET /users/${self.id}`, { token })).body).toEqual(self);
  expect((await send(PROOF)).status).toBeLessThan(300);
});

test('a superuser changes with the token alone what can be changed back, and creates artists', async () => {
  const { app, self } = await openArtistApp({ database: 'own' });
  const token = await app.superuserToken();
  const call = (operation: string, json: object) => app.call(operation, { token, json });
  expect((await call(`PATCH /users/${self.id}`, { full_name: 'Ana' })).status).toBe(200);
  expect((await call(`PATCH /users/${self.id}`, { is_active: true })).status).toBe(200);
  const { confirm_password: _, ...account } = createSignup({
    ...{ username: 'new_artist', email: 'new@example.com', full_name: 'New Artist' },
  });
  expect((await call('POST /users/', account)).status).toBe(201);
  const boss = { ...account, username: 'boss', email: 'boss@example.com', is_superuser: true };
  expect(validationMessages(await call('POST /users/', boss))).toEqual(MISSING);
});
