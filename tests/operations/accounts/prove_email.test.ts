import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import { linkToken } from '#support/mail_links.ts';
import { PASSWORD } from '#support/new_artist.ts';
import { NEW_YORK } from '#support/sample_people.ts';
import { openTestApp } from '#support/test_app.ts';

async function setUp({ rateLimit = false } = {}) {
  const app = await openTestApp({ database: 'own', rateLimit });
  const { token, self } = await app.newArtist({ viaSignup: true });
  const isProven = async () =>
    (await app.call<CurrentArtist>('GET /users/me', { token })).body.email_proven;
  const prove = (proof: string) => app.call('POST /users/prove-email', { json: { token: proof } });
  return { app, token, self, isProven, prove };
}

test('the link of the welcome mail confirms the email, also when it is used twice', async () => {
  const { app, self, isProven, prove } = await setUp();
  expect([self.email_proven, self.pending_email]).toEqual([false, null]);
  const [welcome] = await app.mailsTo(self.email);
  expect(welcome?.subject).toBe('Welcome to Linework');
  const proof = linkToken(welcome, 'prove-email');
  expect(await isProven()).toBe(false);
  for (let n = 0; n < 2; n += 1) {
    const response = await prove(proof);
    expect(response).toMatchObject({ status: 200, body: { message: 'Your email is confirmed.' } });
  }
  expect(await isProven()).toBe(true);
});

test('a made-up or altered token, and one of another artist, confirm nothing', async () => {
  const { app, self, isProven, prove } = await setUp();
  const other = await app.newArtist({ viaSignup: true });
  const proof = linkToken((await app.mailsTo(other.self.email))[0], 'prove-email');
  const altered = proof.replace(other.self.id, self.id);
  for (const token of ['x', self.id, `${self.id}.`, altered, `${proof}x`, randomUUID()]) {
    const response = await prove(token);
    expect([token, response.status]).toEqual([token, 400]);
  }
  expect(await isProven()).toBe(false);
});

test('a used recovery link confirms the email', async () => {
  const { app, self, isProven } = await setUp();
  await app.call(`POST /password-recovery/${self.email}`);
  const [recovery] = await app.mailsAbout(/choose a new password/);
  const token = linkToken(recovery, 'reset-password');
  await app.call('POST /reset-password', { json: { token, new_password: 'a new password' } });
  const login = await app.call<{ access_token: string }>('POST /login/access-token', {
    form: { username: self.email, password: 'a new password' },
  });
  expect(await isProven()).toBe(undefined);
  const me = await app.call<CurrentArtist>('GET /users/me', { token: login.body.access_token });
  expect(me.body.email_proven).toBe(true);
});

test('the link is mailed again at most five times an hour, and never to a confirmed email', async () => {
  const { app, token, self, prove } = await setUp({ rateLimit: true });
  const proof = linkToken((await app.mailsTo(self.email))[0], 'prove-email');
  const ask = async () => (await app.call('POST /users/me/prove-email', { token })).status;
  const statuses = [];
  for (let n = 0; n < 6; n += 1) statuses.push(await ask());
  expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
  const before = (await app.mailsTo(self.email)).length;
  await prove(proof);
  expect(await ask()).toBe(204);
  expect(await app.mailsTo(self.email)).toHaveLength(before);
});

test('a link that could not be mailed today is refused, so that nobody waits for it', async () => {
  const { app, token, self } = await setUp({ rateLimit: true });
  for (let n = 0; n < 4; n += 1) {
    expect((await app.call('POST /users/me/prove-email', { token })).status).toBe(204);
    await app.runJobs();
  }
  // The welcome and four links are the five mails of a day to an address that never proved itself.
  expect(await app.mailsTo(self.email)).toHaveLength(5);
  expect(await app.call('POST /users/me/prove-email', { token })).toMatchObject({
    status: 429,
    body: { detail: expect.stringMatching(/has had several mails.*try again in 1 day/) },
  });
});

test('the email of an account that a superuser creates counts as confirmed', async () => {
  const { app } = await setUp();
  const username = `made-${randomUUID().slice(0, 8)}`;
  const response = await app.call<CurrentArtist>('POST /users/', {
    token: await app.superuserToken(),
    json: {
      email: `${username}@example.com`,
      full_name: 'Rosa Quint',
      username,
      password: PASSWORD,
      studio_name: 'Quint Tattoo',
      ...NEW_YORK,
    },
  });
  expect([response.status, response.body.email_proven]).toEqual([201, true]);
  const [welcome] = await app.mailsTo(`${username}@example.com`);
  expect(linkToken(welcome, 'prove-email')).toBe('');
});
