import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { lockArtist, updateArtist } from '#server/database/artists.ts';
import { replaceUsername } from '#server/database/former_usernames.ts';
import { countLockWaiters } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { createSignup, type TestArtist } from '#support/new_artist.ts';
import { FILLED_FORM, findSlot, openTestApp, type TestApp } from '#support/test_app.ts';

const TAKEN = { status: 409, body: { detail: 'This username is already taken' } };

function rename(app: TestApp, { token }: TestArtist, username: string) {
  return app.call('PATCH /users/me', { token, json: { username } });
}

function signUp(app: TestApp, username: string) {
  const account = { email: `${randomUUID()}@example.com`, full_name: 'A Stranger', username };
  return app.call('POST /users/signup', { json: createSignup(account) });
}

test('an old username stays reserved to its artist, who may take it back', async () => {
  const app = await openTestApp();
  const [artist, other] = [await app.newArtist(), await app.newArtist()];
  const old = artist.username;
  expect((await rename(app, artist, `${old}-2`)).status).toBe(200);
  expect(await signUp(app, old.toUpperCase())).toMatchObject(TAKEN);
  expect(await rename(app, other, old)).toMatchObject(TAKEN);
  expect((await rename(app, artist, old)).status).toBe(200);
  expect(await signUp(app, `${old}-2`)).toMatchObject(TAKEN);
});

test('an artist keeps at most twenty old usernames from others, and may take one of them again', async () => {
  const { app, artist } = await openArtistApp();
  const name = (n: number) => `${artist.username}-${n}`;
  for (let n = 1; n <= 20; n += 1) expect((await rename(app, artist, name(n))).status).toBe(200);
  expect(await rename(app, artist, name(21))).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('20 other usernames') },
  });
  expect((await signUp(app, name(21))).status).toBe(201);
  expect((await rename(app, artist, name(3))).status).toBe(200);
});

test('calls with an old username reach the artist: open pages keep working', async () => {
  const { app, artist } = await openArtistApp();
  const slot = await findSlot(app, artist);
  await rename(app, artist, `${artist.username}-2`);
  const { body } = await app.call(`GET /users/artist/${artist.username.toUpperCase()}`);
  expect(body).toMatchObject({ username: `${artist.username}-2` });
  const booked = await app.call(`POST /appointments/request/service?username=${artist.username}`, {
    json: { ...FILLED_FORM, service_id: artist.service.id, design_id: null, ...slot },
  });
  expect(booked.status).toBe(201);
});

test('a sign-up during a change of the username does not get the old name', async () => {
  const { app, artist } = await openArtistApp();
  const old = artist.username;
  const pending = await app.database.transaction().execute(async (transaction) => {
    await lockArtist(transaction, artist.self.id);
    await updateArtist(transaction, artist.self.id, { username: `${old}-2` });
    const stranger = signUp(app, old);
    // The unique index waits for our change.
    await vi.waitFor(async () => expect(await countLockWaiters(app)).toBe(1), { timeout: 5000 });
    await replaceUsername(transaction, artist.self.id, { from: old, to: `${old}-2` });
    return { stranger };
  });
  expect(await pending.stranger).toMatchObject(TAKEN);
});
