import { expect, test } from 'vitest';
import { makeExport, tokenOf } from '#support/exports.ts';
import { linkToken } from '#support/mail_links.ts';
import { PASSWORD, PROOF } from '#support/new_artist.ts';
import { openTestApp } from '#support/test_app.ts';

const THIEF_EMAIL = 'thief@example.com';
const THIEF_PASSWORD = 'a password of the thief';
const OWNER_PASSWORD = 'a new one of the owner';

async function setUp() {
  const app = await openTestApp({ database: 'own' });
  const owner = await app.newArtist();
  const { mailsTo } = app;
  const logIn = async (username: string, password: string) =>
    app.call<{ access_token: string }>('POST /login/access-token', {
      form: { username, password },
      headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko Firefox/140.0' },
    });
  const subjectsToOwner = async () =>
    (await mailsTo(owner.self.email)).map(({ subject }) => subject);
  return { app, owner, mailsTo, logIn, subjectsToOwner };
}

test('a stolen token cannot change the email or the password, until its owner ends it', async () => {
  const { app, owner, subjectsToOwner, logIn } = await setUp();
  const { token } = owner;
  const call = (operation: string, json?: object) =>
    app.call<{ access_token: string }>(operation, { token, json });
  expect((await call('PATCH /users/me', { email: THIEF_EMAIL })).status).toBe(422);
  const guess = { email: THIEF_EMAIL, current_password: 'guess' };
  expect((await call('PATCH /users/me', guess)).status).toBe(400);
  const password = { current_password: 'guess', new_password: THIEF_PASSWORD };
  expect((await call('PATCH /users/me/password', password)).status).toBe(400);
  expect((await app.call(`POST /password-recovery/${THIEF_EMAIL}`)).status).toBe(200);
  expect(await app.mailsAbout(/choose a new password/)).toEqual([]);
  // The owner ends it.
  expect((await logIn(owner.self.email, PASSWORD)).status).toBe(200);
  expect(await subjectsToOwner()).toEqual(['Linework: a login from a new browser']);
  const { access_token } = (await logIn(owner.self.email, PASSWORD)).body;
  await app.call('POST /users/me/sessions/end-others', { token: access_token, json: PROOF });
  expect((await call('GET /users/me')).status).toBe(401);
});

test('who reads a recovery mail of someone else does not keep the account, and the owner hears of every step', async () => {
  const { app, owner, mailsTo, logIn, subjectsToOwner } = await setUp();
  const { email } = owner.self;
  await app.call(`POST /password-recovery/${email}`);
  const recovery = (await mailsTo(email)).at(-1);
  const json = { token: linkToken(recovery, 'reset-password'), new_password: THIEF_PASSWORD };
  const reset = await app.call<{ device_token: string }>('POST /reset-password', { json });
  // The thief's browser, as the page of the link leaves it.
  const login = await app.call<{ access_token: string }>('POST /login/access-token', {
    form: { username: email, password: THIEF_PASSWORD },
    headers: { 'Device-Token': reset.body.device_token },
  });
  const thief = { token: login.body.access_token };
  const changed = await app.call('PATCH /users/me', {
    ...thief,
    json: { email: THIEF_EMAIL, current_password: THIEF_PASSWORD },
  });
  expect(changed.status).toBe(200);
  const proofToken = linkToken((await mailsTo(THIEF_EMAIL)).at(-1), 'prove-email');
  expect((await app.call('POST /users/prove-email', { json: { token: proofToken } })).status).toBe(
    200,
  );
  // The thief knows the password, and yet cannot destroy what there is.
  const proof = { current_password: THIEF_PASSWORD };
  expect(await app.call('DELETE /users/me', { ...thief, json: proof })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('cannot be deleted yet') },
  });
  const copy = await makeExport(app, { ...owner, http: app.http(thief.token) });
  const takeCopy = () => app.call(`GET /users/exports/${copy.id}/download?token=${tokenOf(copy)}`);
  expect((await takeCopy()).status).toBe(200);
  expect(await subjectsToOwner()).toEqual([
    'Linework: choose a new password',
    'Linework: your password was changed',
    'Linework: a login from a new browser',
    'Linework: your email is about to change',
    'Linework: your email was changed',
  ]);

  const undoToken = linkToken((await mailsTo(email)).at(-1), 'undo-email-change');
  const undone = await app.call<{ reset_token: string }>('POST /users/undo-email-change', {
    json: { token: undoToken },
  });
  const back = { token: undone.body.reset_token, new_password: OWNER_PASSWORD };
  expect((await app.call('POST /reset-password', { json: back })).status).toBe(200);
  expect((await app.call('GET /users/me', thief)).status).toBe(401);
  expect((await takeCopy()).status).toBe(404);
  for (const username of [email, THIEF_EMAIL])
    expect((await logIn(username, THIEF_PASSWORD)).status).toBe(400);
  expect((await logIn(email, OWNER_PASSWORD)).status).toBe(200);
  // What was mailed to the thief is worth nothing now.
  expect((await app.call('POST /users/prove-email', { json: { token: proofToken } })).status).toBe(
    400,
  );
  expect(
    (await app.call('POST /users/undo-email-change', { json: { token: undoToken } })).status,
  ).toBe(400);
});

test('a stolen token does not lead what clients write to a thief in secret', async () => {
  const { app, owner, subjectsToOwner } = await setUp();
  const { token } = owner;
  const show = (email: string) =>
    app.call('PATCH /users/me', { token, json: { public_email: { kind: 'other', email } } });
  expect((await show(THIEF_EMAIL)).status).toBe(200);
  expect(await subjectsToOwner()).toEqual(['Linework: your page shows another email']);
  const events = await app.call('GET /users/me/security-events', { token });
  expect(events.body).toMatchObject({ data: [{ kind: 'public_email_changed' }] });
  // The same once more is not a change, and many changes are not many mails.
  for (const email of [THIEF_EMAIL, `a-${THIEF_EMAIL}`, `b-${THIEF_EMAIL}`]) await show(email);
  expect((await subjectsToOwner()).length).toBeLessThanOrEqual(2);
});

test('a browser that the thief logged in from is a new one again, once the owner has the account back', async () => {
  const { app, owner, mailsTo, subjectsToOwner } = await setUp();
  const { email } = owner.self;
  const logInFrom = async (password: string, deviceToken?: string) => {
    const headers = deviceToken === undefined ? {} : { 'Device-Token': deviceToken };
    const form = { username: email, password };
    const { body } = await app.call<{ device_token: string }>('POST /login/access-token', {
      form,
      headers,
    });
    return body.device_token;
  };
  const known = await logInFrom(PASSWORD);
  await app.call(`POST /password-recovery/${email}`);
  const token = linkToken((await mailsTo(email)).at(-1), 'reset-password');
  await app.call('POST /reset-password', { json: { token, new_password: OWNER_PASSWORD } });
  // Tokens tell whole seconds: as if the thief had logged in some seconds before.
  await app.database
    .updateTable('security_events')
    .set({ happened_at: new Date(Date.now() + 2000) })
    .where('kind', '=', 'password_reset')
    .execute();
  await logInFrom(OWNER_PASSWORD, known);
  expect((await subjectsToOwner()).at(-1)).toBe('Linework: a login from a new browser');
});
