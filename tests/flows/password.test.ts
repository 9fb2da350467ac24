import { expect, test } from 'vitest';
import { changePassword, fetchMe } from '#client/artists.ts';
import { recoverPassword, resetPassword } from '#client/login.ts';
import { complaints, NOT_SIGNED_IN } from '#support/answers.ts';
import { refusalOf } from '#support/calls.ts';
import { PASSWORD, type TestArtist } from '#support/new_artist.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

const NEW_PASSWORD = 'battery staple';

function change(studio: TestApp, { token }: TestArtist, current_password: string) {
  return studio.call<{ access_token: string }>('PATCH /users/me/password', {
    token,
    json: { current_password, new_password: NEW_PASSWORD },
  });
}

test('a new password ends every token but the one it is answered with', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const { status, body } = await change(studio, artist, PASSWORD);
  expect(status).toBe(200);
  await fetchMe(studio.http(body.access_token));
  expect(await refusalOf(fetchMe(studio.http(artist.token)))).toMatchObject(NOT_SIGNED_IN);
  for (const [password, expected] of [
    [PASSWORD, 400],
    [NEW_PASSWORD, 200],
  ] as const) {
    const form = { username: artist.self.email, password };
    expect((await studio.call('POST /login/access-token', { form })).status).toBe(expected);
  }
});

test('whoever does not know the current password changes nothing', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  expect(
    await refusalOf(
      changePassword(artist.http, { current_password: 'not the one', new_password: NEW_PASSWORD }),
    ),
  ).toMatchObject({
    status: 400,
    body: { detail: 'That is not your current password' },
  });
  await fetchMe(studio.http(artist.token));
  const short = await studio.call('PATCH /users/me/password', {
    token: artist.token,
    json: { current_password: PASSWORD, new_password: 'short' },
  });
  expect(complaints(short)).toEqual({
    'body.new_password': 'Password must be at least 8 characters',
  });
});

test('a new password makes the link of an earlier mail useless', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  await recoverPassword(studio.http(), artist.self.email);
  const [mail] = await studio.mailsAbout(/choose a new password/);
  const [, token = ''] = /token=([\w-]+)/.exec(mail?.text ?? '') ?? [];
  await changePassword(artist.http, { current_password: PASSWORD, new_password: NEW_PASSWORD });
  const json = { token, new_password: 'yet another one' };
  expect((await refusalOf(resetPassword(studio.http(), json))).status).toBe(400);
});

test('of two changes at once, one is made', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const answers = await Promise.all([1, 2].map(() => change(studio, artist, PASSWORD)));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses[0]).toBe(200);
  expect([400, 401]).toContain(statuses[1]);
});
