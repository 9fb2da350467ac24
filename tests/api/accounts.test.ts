import { expect, test, vi } from 'vitest';
import { call } from '#client/call.ts';
import { fetchMe } from '#contract/endpoints.ts';
import { takeLock } from '#server/database/advisory_lock.ts';
import { countLockWaiters } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { expectOk } from '#support/call_api.ts';
import { PROOF } from '#support/new_artist.ts';
import { openTestApp } from '#support/test_app.ts';

const NOT_ALLOWED = { status: 403, body: { detail: 'You are not allowed to do that' } };

test.each([
  ['demote', 'PATCH', { is_superuser: false, ...PROOF }, 200],
  ['deactivate', 'PATCH', { is_active: false, ...PROOF }, 200],
  ['delete', 'DELETE', PROOF, 204],
])(
  'of two superusers who %s each other concurrently, one stays',
  async (_, method, body, success) => {
    const app = await openTestApp({ database: 'own' });
    const token = await app.superuserToken();
    const superuser = await call(app.http(token), fetchMe);
    const other = await app.newArtist();
    const json = { is_superuser: true, ...PROOF };
    await expectOk(app.call(`PATCH /users/${other.self.id}`, { token, json }));
    const pending = await app.database.transaction().execute(async (transaction) => {
      await takeLock(transaction, 'superuser');
      const both = [
        app.call(`${method} /users/${other.self.id}`, { token, json: body }),
        app.call(`${method} /users/${superuser.id}`, { token: other.token, json: body }),
      ];
      // Both passed authorization, and neither has made its change.
      await vi.waitFor(async () => expect(await countLockWaiters(app)).toBe(2), { timeout: 5000 });
      return { both };
    });
    const responses = await Promise.all(pending.both);
    expect(responses.map(({ status }) => status).sort()).toEqual([success, 403]);
    const left = await app.database
      .selectFrom('artists')
      .select('id')
      .where('is_superuser', '=', true)
      .where('is_active', '=', true)
      .execute();
    expect(left).toHaveLength(1);
  },
);

test('an artist reads only their own account, and a forbidden request is not validated', async () => {
  const { app, self, token } = await openArtistApp({ database: 'own' });
  const other = await app.newArtist();
  expect((await app.call(`GET /users/${self.id}`, { token })).body).toEqual(self);
  const text = { raw: 'x', headers: { 'Content-Type': 'text/plain' } };
  for (const response of [
    await app.call(`GET /users/${other.self.id}`, { token }),
    await app.call('GET /users/not-an-id', { token }),
    await app.call('POST /users', { token, ...text }),
    await app.call(`PATCH /users/${self.id}`, { token, json: { is_superuser: true } }),
  ])
    expect(response).toMatchObject(NOT_ALLOWED);
});
