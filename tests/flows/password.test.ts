import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import { changePassword, recoverPassword, resetPassword } from '#contract/endpoints.ts';

import { refusalOf } from '#support/call_api.ts';
import { PASSWORD } from '#support/new_artist.ts';
import { openTestApp } from '#support/test_app.ts';

const NEW_PASSWORD = 'battery staple';

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
