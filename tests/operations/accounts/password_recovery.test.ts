import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import {
  changePassword,
  fetchMe,
  logIn,
  recoverPassword,
  resetPassword,
} from '#contract/endpoints.ts';
import { updateArtist } from '#server/database/artists.ts';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import {
  queueRecoveryMail,
  requestPasswordRecovery,
} from '#server/operations/accounts/password_recovery.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { refusalOf } from '#support/call_api.ts';
import { addArtist } from '#support/database_rows.ts';
import { PASSWORD, PROOF, type TestArtist } from '#support/new_artist.ts';
import { NOT_FOUND, NOT_SIGNED_IN, validationMessages } from '#support/problems.ts';
import { ODD_EMAIL } from '#support/sample_people.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const SENT = {
  status: 200,
  body: { message: 'We sent an email with a link to get back into your account.' },
};
const UNUSABLE = {
  status: 400,
  body: { detail: 'This link has been used or has run out. Please ask for a new one.' },
};
const FROM = { network: '192.0.2.1', deviceToken: undefined };
const NEW_PASSWORD = 'battery staple';

function recover(app: TestApp, email: string) {
  return app.call(`POST /password-recovery/${encodeURIComponent(email)}`);
}

function reset(app: TestApp, token: string, new_password = NEW_PASSWORD) {
  return app.call('POST /reset-password/', { json: { new_password, token } });
}

function findToken(text: string | undefined): string {
  const [, token = ''] = /reset-password\?token=([\w-]+)/.exec(text ?? '') ?? [];
  return token;
}

function listRecoveryMails(app: TestApp) {
  return app.mailsAbout(/: choose a new password/);
}

/** Requests a recovery mail, and returns the token of the newest one. */
async function requestToken(app: TestApp, { self }: TestArtist): Promise<string> {
  await call(app.http(), recoverPassword, { path: { email: self.email } });
  return findToken((await listRecoveryMails(app)).at(-1)?.text);
}

test('a recovery link sets a new password once, and revokes the old tokens', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  expect(await recover(app, artist.self.email.toUpperCase())).toMatchObject(SENT);
  const [mail, ...more] = await listRecoveryMails(app);
  expect(more).toEqual([]);
  expect(mail?.to).toMatchObject([{ address: artist.self.email }]);
  expect(mail?.from?.address).toBe('no-reply@linework.test');
  expect(mail?.subject).toContain('Linework');
  expect(mail?.text).toContain('within one hour');
  const token = findToken(mail?.text);
  expect(mail?.text).toContain(`http://linework.test/reset-password?token=${token}`);
  expect(findToken(mail?.html)).toBe(token);
  expect(Buffer.from(token, 'base64url')).toHaveLength(24);

  expect(await reset(app, token)).toMatchObject({
    body: { message: 'Password updated successfully.' },
  });
  expect(await refusalOf(call(app.http(artist.token), fetchMe))).toMatchObject(NOT_SIGNED_IN);
  const form = { username: artist.self.email, password: PASSWORD };
  expect((await app.call('POST /login/access-token', { form })).status).toBe(400);
  await call(app.http(), logIn, { body: { username: artist.self.email, password: NEW_PASSWORD } });
  expect(await reset(app, token)).toMatchObject(UNUSABLE);
});

test('an email with every allowed sign and a Unicode domain logs in, recovers its password and is a client', async () => {
  const { app, token } = await openArtistApp({ database: 'own' }, { email: ODD_EMAIL });
  const typed = `Rosa <${ODD_EMAIL.replace('xn--mnchen-3ya', 'mu\u0308nchen')}>`;
  await call(app.http(), logIn, { body: { username: typed, password: PASSWORD } });
  expect(await recover(app, typed)).toMatchObject(SENT);
  const [mail] = await listRecoveryMails(app);
  expect(mail?.to).toMatchObject([{ address: ODD_EMAIL }]);
  const times = { start: '2030-01-07T15:00:00Z', end: '2030-01-07T15:59:00Z' };
  const json = { client: { email: typed }, ...times };
  const entered = await app.call('POST /appointments', { token, json });
  expect(entered.body).toMatchObject({ client: { email: ODD_EMAIL } });
  const path = `GET /clients?search=${encodeURIComponent(typed)}`;
  expect((await app.call(path, { token })).body).toMatchObject({ count: 1 });
});

async function isEmailProven(app: TestApp, { self }: TestArtist): Promise<boolean> {
  const { email_proven_at } = await app.database
    .selectFrom('artists')
    .select('email_proven_at')
    .where('id', '=', self.id)
    .executeTakeFirstOrThrow();
  return email_proven_at !== null;
}

test('a recovery link that was mailed to an earlier email does not work, and proves none', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' }, { isEmailProven: false });
  const token = await requestToken(app, artist);
  // As if the email had changed while the link was being mailed.
  await updateArtist(app.database, artist.self.id, { email: 'someone.else@example.com' });
  expect((await reset(app, token)).status).toBe(400);
  expect(await isEmailProven(app, artist)).toBe(false);
  const proven = await app.database.selectFrom('mailboxes').select('mailbox').execute();
  expect(proven).not.toContainEqual({ mailbox: hashMailbox('someone.else@example.com') });
});

test('password recovery does not reveal whether an address has an account', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const inactive = await app.newArtist();
  await updateArtist(app.database, inactive.self.id, { is_active: false });
  const known = await recover(app, artist.self.email);
  for (const email of ['nobody@example.com', inactive.self.email]) {
    const { status, body } = await recover(app, email);
    expect({ status, body }).toEqual({ status: known.status, body: known.body });
  }
  expect(await listRecoveryMails(app)).toHaveLength(1);
  expect(validationMessages(await recover(app, 'nobody'))).toEqual({
    'path.email': 'Invalid email address',
  });
});

test('a recovery request does the same work whether or not the address has an account', async () => {
  const { context, jobs } = await openTestContext();
  const { email } = await addArtist(context.database);
  for (const address of [email, 'nobody@example.com'])
    await requestPasswordRecovery(context, address, FROM);
  expect(jobs).toEqual(
    [email, 'nobody@example.com'].map((address) => ({
      kind: 'password_recovery',
      email: address,
      occasion: expect.any(String),
    })),
  );
});

test('a recovery job that runs twice queues one mail, and two requests queue two', async () => {
  const { context } = await openTestContext();
  const { database } = context;
  const { id, email } = await addArtist(database);
  for (const occasion of ['first', 'first', 'second'])
    await queueRecoveryMail(context, { email, occasion });
  const mails = database.selectFrom('mails').where('artist_id', '=', id).select('status');
  expect(await mails.execute()).toEqual([{ status: 'queued' }, { status: 'queued' }]);
});

test('a recovery link that is invented, expired or of an inactive artist is refused', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const token = await requestToken(app, artist);
  expect(await reset(app, 'made-up')).toMatchObject(UNUSABLE);
  await app.database.updateTable('artists').set({ is_active: false }).execute();
  expect(await reset(app, token)).toMatchObject(UNUSABLE);
  await app.database.updateTable('artists').set({ is_active: true }).execute();
  await app.database
    .updateTable('password_recoveries')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute();
  expect(await reset(app, token)).toMatchObject(UNUSABLE);
  await call(app.http(), logIn, { body: { username: artist.self.email, password: PASSWORD } });
});

test('a changed password revokes the recovery links of earlier mails', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const token = await requestToken(app, artist);
  const body = { current_password: PASSWORD, new_password: 'chosen while logged in' };
  await call(artist.http, changePassword, { body });
  expect(await reset(app, token)).toMatchObject(UNUSABLE);
});

test('a recovery link and a concurrent password change cause no server error', async () => {
  const app = await openTestApp({ database: 'own' });
  for (let round = 0; round < 6; round += 1) {
    const artist = await app.newArtist();
    const token = await requestToken(app, artist);
    const json = { current_password: PASSWORD, new_password: 'chosen while logged in' };
    const [changed, link] = await Promise.all([
      app.call('PATCH /users/me/password', { token: artist.token, json }),
      sleep(20 * round).then(() => reset(app, token)),
    ]);
    expect([200, 400, 401]).toContain(changed.status);
    expect([200, 400]).toContain(link.status);
  }
  expect(app.logged.filter((line) => !line.startsWith('Mail: A mail was written'))).toEqual([]);
});

test('a recovery link stays usable after a password that is too short', async () => {
  const app = await openTestApp({ database: 'own' });
  const token = await requestToken(app, await app.newArtist());
  expect(validationMessages(await reset(app, token, 'short'))).toEqual({
    'body.new_password': 'Password must be at least 8 characters',
  });
  expect((await reset(app, token)).status).toBe(200);
});

test('of concurrent uses of a recovery link, exactly one succeeds', async () => {
  const app = await openTestApp({ database: 'own' });
  const token = await requestToken(app, await app.newArtist());
  const responses = await Promise.all(Array.from({ length: 8 }, () => reset(app, token)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
});

test('recovery tokens are stored only as a hash, and neither token nor address is logged', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const token = await requestToken(app, artist);
  const rows = await app.database.selectFrom('password_recoveries').selectAll().execute();
  expect(rows).toHaveLength(1);
  expect(rows[0]?.token_hash).toHaveLength(32);
  expect(JSON.stringify(rows)).not.toContain(token);
  for (const line of app.logged) {
    expect(line).toMatch(
      /^Mail: A mail was written to the outbox: [\w.-]+\.eml, with a link to http/,
    );
    for (const secret of [token, artist.self.email]) expect(line).not.toContain(secret);
  }
  expect(app.logged).toHaveLength(1);
});

test('a mailed recovery link stays valid when another one is requested, until one of them is used', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const first = await requestToken(app, artist);
  const second = await requestToken(app, artist);
  expect(second).not.toBe(first);
  expect(await reset(app, first)).toMatchObject({ status: 200 });
  expect(await reset(app, second)).toMatchObject(UNUSABLE);
});

test('one network causes three recovery mails to an address in an hour, whether or not servers differ', async () => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const other = await app.openSecondServer();
  const { self } = await app.newArtist();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => recover(n % 2 ? app : other, self.email.toUpperCase())),
  );
  for (const answer of answers) expect(answer).toMatchObject(SENT);
  await app.runJobs();
  expect(await countRecoveryRows(app)).toBe(3);
  const owner = `POST /password-recovery/${self.email}`;
  expect(await app.call(owner, { address: '203.0.113.7' })).toMatchObject(SENT);
  await app.runJobs();
  expect(await countRecoveryRows(app)).toBe(4);
});

test('ten recovery mails an hour are sent to an address, and three more from a browser that the artist has logged in from', async () => {
  const { app, self } = await openArtistApp({ database: 'own', rateLimit: true });
  const stranger = await app.newArtist();
  const logInAs = async ({ email }: { email: string }) =>
    (await call(app.http(), logIn, { body: { username: email, password: PASSWORD } })).device_token;
  const [known, foreign] = [await logInAs(self), await logInAs(stranger.self)];
  const operation = `POST /password-recovery/${self.email}`;
  for (let n = 0; n < 14; n += 1) {
    const headers = n % 2 ? { 'Device-Token': foreign } : {};
    const address = `198.51.${n}.1`;
    expect(await app.call(operation, { address, headers })).toMatchObject(SENT);
  }
  expect(await listRecoveryMails(app)).toHaveLength(10);
  for (let n = 0; n < 5; n += 1)
    expect(await app.call(operation, { headers: { 'Device-Token': known } })).toMatchObject(SENT);
  expect(await listRecoveryMails(app)).toHaveLength(13);
});

test('a network that asks for more than twenty recovery mails an hour is refused', async () => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const statuses = [];
  for (let n = 0; n < 21; n += 1)
    statuses.push(
      (await recover(n < 11 ? app : await app.openSecondServer(), `rosa${n}@example.com`)).status,
    );
  expect(statuses).toEqual([...Array(20).fill(200), 429]);
});

/** The recovery mails of all servers. */
async function countRecoveryRows({ database }: TestApp): Promise<number> {
  const mails = await database.selectFrom('mails').select('notice').execute();
  return mails.filter(({ notice }) => notice.kind === 'password_recovery').length;
}

test('a superuser gets the HTML of the recovery mail with a working link, which is not mailed and proves no email; the artist is informed', async () => {
  const { app, artist } = await openArtistApp({ database: 'own' }, { isEmailProven: false });
  const token = await app.superuserToken();
  const path = `POST /password-recovery-html-content/${artist.self.email}`;
  const response = await app.call<string>(path, { token, json: PROOF });
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(response.body).toContain('within one hour');
  expect(await listRecoveryMails(app)).toEqual([]);
  expect(await app.mailsAbout(/a link to choose a new password/)).toMatchObject([
    { to: [{ address: artist.self.email }], text: expect.not.stringContaining('token=') },
  ]);
  await call(app.http(), resetPassword, {
    body: { new_password: NEW_PASSWORD, token: findToken(response.body) },
  });
  expect(await isEmailProven(app, artist)).toBe(false);
  const unknown = 'POST /password-recovery-html-content/nobody@example.com';
  expect(await app.call(unknown, { token, json: PROOF })).toMatchObject(NOT_FOUND);
});
