import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { changeMe, fetchMe } from '#client/artists.ts';
import { logIn, recoverPassword, resetPassword } from '#client/login.ts';
import type { MailData } from '#domain/mail.ts';
import { createMail } from '#server/mail/create_mail.ts';
import { createOutboxMailer } from '#server/mail/outbox_mailer.ts';
import { refusalOf } from '#support/call_api.ts';
import { PASSWORD, type TestArtist } from '#support/new_artist.ts';
import { NOT_FOUND, NOT_SIGNED_IN, UNKNOWN_ID, validationMessages } from '#support/problems.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

const SENT = {
  status: 200,
  body: { message: 'We sent an email with a link to get back into your account.' },
};
const UNUSABLE = {
  status: 400,
  body: { detail: 'This link has been used or has run out. Please ask for a new one.' },
};
const NEW_PASSWORD = 'battery staple';

function recover(app: TestApp, email: string) {
  return app.call(`POST /password-recovery/${encodeURIComponent(email)}`);
}

function reset(app: TestApp, token: string, new_password = NEW_PASSWORD) {
  return app.call('POST /reset-password/', { json: { new_password, token } });
}

/** The token of the link in a text. */
function tokenIn(text: string | undefined): string {
  const [, token = ''] = /reset-password\?token=([\w-]+)/.exec(text ?? '') ?? [];
  return token;
}

/** The mails with a way back in. */
function recoveryMails(app: TestApp) {
  return app.mailsAbout(/choose a new password/);
}

/** Asks for a mail, and reads the token in the newest one. */
async function tokenFor(app: TestApp, { self }: TestArtist): Promise<string> {
  await recoverPassword(app.http(), self.email);
  return tokenIn((await recoveryMails(app)).at(-1)?.text);
}

test('a mail brings a link that sets a new password once, and ends the old tokens', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  expect(await recover(app, artist.self.email.toUpperCase())).toMatchObject(SENT);
  const [mail, ...more] = await recoveryMails(app);
  expect(more).toEqual([]);
  expect(mail?.to).toMatchObject([{ address: artist.self.email }]);
  expect(mail?.from?.address).toBe('no-reply@linework.test');
  expect(mail?.subject).toContain('Linework');
  expect(mail?.text).toContain('within one hour');
  const token = tokenIn(mail?.text);
  expect(mail?.text).toContain(`http://linework.test/reset-password?token=${token}`);
  expect(tokenIn(mail?.html)).toBe(token);
  expect(Buffer.from(token, 'base64url')).toHaveLength(24);

  expect(
    await resetPassword(app.http(), { new_password: NEW_PASSWORD, token: token }),
  ).toMatchObject({ message: 'Password updated successfully.' });
  expect(await refusalOf(fetchMe(app.http(artist.token)))).toMatchObject(NOT_SIGNED_IN);
  expect(
    (await refusalOf(logIn(app.http(), { username: artist.self.email, password: PASSWORD })))
      .status,
  ).toBe(400);
  await logIn(app.http(), { username: artist.self.email, password: NEW_PASSWORD });
  expect(
    await refusalOf(resetPassword(app.http(), { new_password: NEW_PASSWORD, token: token })),
  ).toMatchObject(UNUSABLE);
});

test('nobody hears whether an address has an account', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const idle = await app.newArtist();
  await app.database
    .updateTable('artists')
    .set({ is_active: false })
    .where('id', '=', idle.self.id)
    .execute();
  const known = await recover(app, artist.self.email);
  for (const email of ['nobody@example.com', idle.self.email]) {
    const { status, body } = await recover(app, email);
    expect({ status, body }).toEqual({ status: known.status, body: known.body });
  }
  expect(await recoveryMails(app)).toHaveLength(1);
  expect(validationMessages(await refusalOf(recoverPassword(app.http(), 'nobody')))).toEqual({
    'path.email': 'Invalid email address',
  });
});

test('a link that has run out, was replaced or was made up is refused', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const first = await tokenFor(app, artist);
  const second = await tokenFor(app, artist);
  expect(second).not.toBe(first);
  for (const token of [first, 'made-up'])
    expect(
      await refusalOf(resetPassword(app.http(), { new_password: NEW_PASSWORD, token: token })),
    ).toMatchObject(UNUSABLE);
  await app.database
    .updateTable('password_recoveries')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute();
  expect(
    await refusalOf(resetPassword(app.http(), { new_password: NEW_PASSWORD, token: second })),
  ).toMatchObject(UNUSABLE);
  await logIn(app.http(), { username: artist.self.email, password: PASSWORD });
});

test('a link of someone who is no longer active is refused', async () => {
  const app = await openTestApp({ database: 'own' });
  const token = await tokenFor(app, await app.newArtist());
  await app.database.updateTable('artists').set({ is_active: false }).execute();
  expect(
    await refusalOf(resetPassword(app.http(), { new_password: NEW_PASSWORD, token: token })),
  ).toMatchObject(UNUSABLE);
});

test('a link dies with the email that it was sent to', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const token = await tokenFor(app, artist);
  const json = { email: 'moved@example.com' };
  await changeMe(app.http(artist.token), json);
  expect(
    await refusalOf(resetPassword(app.http(), { new_password: NEW_PASSWORD, token: token })),
  ).toMatchObject(UNUSABLE);
});

test('a mail that waits is not sent to an address that is no longer theirs', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const { token, self } = artist;
  const queue = async (email: string, changes: object) => {
    await recoverPassword(app.http(), email);
    const one = async () => expect(await queuedRecoveries(app)).toBe(1);
    await vi.waitFor(one, { timeout: 10_000 });
    await changeMe(app.http(token), changes);
    return recoveryMails(app);
  };
  expect(await queue(self.email, { email: 'moved@example.com' })).toEqual([]);
  expect(await queue('moved@example.com', { about_me: 'I draw.' })).toHaveLength(1);
});

async function queuedRecoveries({ database }: TestApp): Promise<number> {
  const mails = await database
    .selectFrom('mails')
    .select('notice')
    .where('status', '=', 'queued')
    .execute();
  return mails.filter(({ notice }) => notice.kind === 'password_recovery').length;
}

test('a link lives on when only the name changes', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const token = await tokenFor(app, artist);
  const json = { full_name: 'Somebody Else' };
  await changeMe(app.http(artist.token), json);
  await resetPassword(app.http(), { new_password: NEW_PASSWORD, token: token });
});

test('a link and a change of password at the same moment get along', async () => {
  const app = await openTestApp({ database: 'own' });
  for (let round = 0; round < 6; round += 1) {
    const artist = await app.newArtist();
    const token = await tokenFor(app, artist);
    const json = { current_password: PASSWORD, new_password: 'chosen while logged in' };
    const [changed, link] = await Promise.all([
      app.call('PATCH /users/me/password', { token: artist.token, json }),
      sleep(20 * round).then(() => reset(app, token)),
    ]);
    expect([200, 400, 401]).toContain(changed.status);
    expect([200, 400]).toContain(link.status);
  }
  expect(app.logged.filter((line) => !line.startsWith('A mail was written'))).toEqual([]);
});

test('a password that is too short uses no link up', async () => {
  const app = await openTestApp({ database: 'own' });
  const token = await tokenFor(app, await app.newArtist());
  expect(
    validationMessages(
      await refusalOf(resetPassword(app.http(), { new_password: 'short', token: token })),
    ),
  ).toEqual({
    'body.new_password': 'Password must be at least 8 characters',
  });
  await resetPassword(app.http(), { new_password: NEW_PASSWORD, token: token });
});

test('of many who use a link at once, one does', async () => {
  const app = await openTestApp({ database: 'own' });
  const token = await tokenFor(app, await app.newArtist());
  const answers = await Promise.all(Array.from({ length: 8 }, () => reset(app, token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
});

test('the database holds no token that works, and the log holds neither token nor address', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const token = await tokenFor(app, artist);
  const kept = await app.database.selectFrom('password_recoveries').selectAll().execute();
  expect(kept).toHaveLength(1);
  expect(kept[0]?.token_hash).toHaveLength(32);
  expect(JSON.stringify(kept)).not.toContain(token);
  for (const line of app.logged) {
    expect(line).toMatch(/^A mail was written to the outbox: [\w.-]+\.eml, with a link to http/);
    for (const secret of [token, artist.self.email]) expect(line).not.toContain(secret);
  }
  expect(app.logged).toHaveLength(1);
});

test('nobody can flood a mailbox, and the answer does not tell', async () => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const { self } = await app.newArtist();
  for (let n = 0; n < 8; n += 1) expect(await recover(app, self.email)).toMatchObject(SENT);
  expect(await recoveryMails(app)).toHaveLength(5);
});

test('a mail that cannot be sent is logged, and nobody else hears of it', async () => {
  const send = () => Promise.reject(new Error('The postman of rosa@example.com is ill'));
  const app = await openTestApp({ database: 'own', mailer: { send, close() {} } });
  const { self } = await app.newArtist({ viaSignup: true });
  expect(await recover(app, self.email)).toMatchObject(SENT);
  await app.runJobs();
  const why =
    /^A mail \((welcome|password_recovery)\) was not sent and is tried again: It could not be handed to the mail server\.\n +at /;
  expect(app.logged).toEqual([expect.stringMatching(why), expect.stringMatching(why)]);
  expect(app.logged.join()).not.toContain('rosa@');
});

test('a superuser reads the very mail, with a link that works', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const token = await app.superuserToken();
  const path = `POST /password-recovery-html-content/${artist.self.email}`;
  const answer = await app.call<string>(path, { token });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(answer.body).toContain('within one hour');
  expect(await recoveryMails(app)).toEqual([]);
  await resetPassword(app.http(), { new_password: NEW_PASSWORD, token: tokenIn(answer.body) });
  const nobody = 'POST /password-recovery-html-content/nobody@example.com';
  expect(await app.call(nobody, { token })).toMatchObject(NOT_FOUND);
});

function noticeFor(name: string): MailData {
  const artist = { id: UNKNOWN_ID, name, email: 'rosa@example.com' };
  return { kind: 'password_recovery', artist, occasion: 'first' };
}

test('what an artist calls themselves is only text in a mail', async () => {
  const site = { productName: 'Ink & Paper', siteUrl: 'https://book.example.com' };
  const { html } = await createMail(site, noticeFor('<img src=x>'), 'token');
  expect(html).toContain('Hi &lt;img src=x&gt;,');
  expect(html).toContain('Ink &amp; Paper');
});

test('the link in a mail that lies in the outbox stands on one line, as it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linework-outbox-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const outbox = createOutboxMailer(folder, 'Linework <no-reply@localhost>', () => {});
  const site = { productName: 'Linework', siteUrl: 'http://localhost:4321' };
  const token = 'k'.repeat(32);
  const mail = await createMail(site, noticeFor('Rosa'), token);
  await outbox.send({ ...mail, id: UNKNOWN_ID, to: 'rosa@example.com' });
  const [name = ''] = await readdir(folder);
  const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
  expect(lines).toContain(`http://localhost:4321/reset-password?token=${token}`);
});
