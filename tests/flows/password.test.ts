import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import { changePassword, fetchMe, recoverPassword, resetPassword } from '#contract/endpoints.ts';

import { refusalOf } from '#support/call_api.ts';
import { PASSWORD, type TestArtist } from '#support/new_artist.ts';
import { NOT_SIGNED_IN, validationMessages } from '#support/problems.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

const NEW_PASSWORD = 'battery staple';

function change(app: TestApp, { token }: TestArtist, current_password: string) {
  return app.call<{ access_token: string }>('PATCH /users/me/password', {
    token,
    json: { current_password, new_password: NEW_PASSWORD },
  });
}

test('changing the password revokes every token except the one it returns', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const { status, body } = await change(app, artist, PASSWORD);
  expect(status).toBe(200);
  await call(app.http(body.access_token), fetchMe);
  expect(await refusalOf(call(app.http(artist.token), fetchMe))).toMatchObject(NOT_SIGNED_IN);
  for (const [password, expected] of [
    [PASSWORD, 400],
    [NEW_PASSWORD, 200],
  ] as const) {
    const form = { username: artist.self.email, password };
    expect((await app.call('POST /login/access-token', { form })).status).toBe(expected);
  }
});

test('changing the password requires the current password and a new one of 8 characters', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  expect(
    await refusalOf(
      call(artist.http, changePassword, {
        body: { current_password: 'not the one', new_password: NEW_PASSWORD },
      }),
    ),
  ).toMatchObject({
    status: 400,
    body: { detail: 'That is not your current password' },
  });
  await call(app.http(artist.token), fetchMe);
  const short = await app.call('PATCH /users/me/password', {
    token: artist.token,
    json: { current_password: PASSWORD, new_password: 'short' },
  });
  expect(validationMessages(short)).toEqual({
    'body.new_password': 'Password must be at least 8 characters',
  });
});

test('changing the password revokes the reset links of earlier mails', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  await call(app.http(), recoverPassword, { path: { email: artist.self.email } });
  const [mail] = await app.mailsAbout(/choose a new password/);
  const [, token = ''] = /token=([\w-]+)/.exec(mail?.text ?? '') ?? [];
  await call(artist.http, changePassword, {
    body: { current_password: PASSWORD, new_password: NEW_PASSWORD },
  });
  const json = { token, new_password: 'yet another one' };
  expect((await refusalOf(call(app.http(), resetPassword, { body: json }))).status).toBe(400);
});

test('of two concurrent password changes, one succeeds', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const responses = await Promise.all([1, 2].map(() => change(app, artist, PASSWORD)));
  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses[0]).toBe(200);
  expect([400, 401]).toContain(statuses[1]);
});
