import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { changeMe, fetchMe } from '#client/artists.ts';
import { logIn, recoverPassword, resetPassword } from '#client/login.ts';
import type { MailData } from '#domain/notice.ts';
import { createOutbox } from '#server/mail/outbox.ts';
import { writeMail } from '#server/mail/write.ts';
import { complaints, NOBODY, NOT_FOUND, NOT_SIGNED_IN } from '#support/answers.ts';
import { refusalOf } from '#support/calls.ts';
import { PASSWORD, type TestArtist } from '#support/new_artist.ts';
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

function recover(studio: TestApp, email: string) {
  return studio.call(`POST /password-recovery/${encodeURIComponent(email)}`);
}

function reset(studio: TestApp, token: string, new_password = NEW_PASSWORD) {
  return studio.call('POST /reset-password/', { json: { new_password, token } });
}

/** The token of the link in a text. */
function tokenIn(text: string | undefined): string {
  const [, token = ''] = /reset-password\?token=([\w-]+)/.exec(text ?? '') ?? [];
  return token;
}

/** The mails with a way back in. */
function recoveryMails(studio: TestApp) {
  return studio.mailsAbout(/choose a new password/);
}

/** Asks for a mail, and reads the token in the newest one. */
async function tokenFor(studio: TestApp, { self }: TestArtist): Promise<string> {
  await recoverPassword(studio.http(), self.email);
  return tokenIn((await recoveryMails(studio)).at(-1)?.text);
}

test('a mail brings a link that sets a new password once, and ends the old tokens', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  expect(await recover(studio, artist.self.email.toUpperCase())).toMatchObject(SENT);
  const [mail, ...more] = await recoveryMails(studio);
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
    await resetPassword(studio.http(), { new_password: NEW_PASSWORD, token: token }),
  ).toMatchObject({ message: 'Password updated successfully.' });
  expect(await refusalOf(fetchMe(studio.http(artist.token)))).toMatchObject(NOT_SIGNED_IN);
  expect(
    (await refusalOf(logIn(studio.http(), { username: artist.self.email, password: PASSWORD })))
      .status,
  ).toBe(400);
  await logIn(studio.http(), { username: artist.self.email, password: NEW_PASSWORD });
  expect(
    await refusalOf(resetPassword(studio.http(), { new_password: NEW_PASSWORD, token: token })),
  ).toMatchObject(UNUSABLE);
});

test('nobody hears whether an address has an account', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const idle = await studio.artist();
  await studio.database
    .updateTable('artists')
    .set({ is_active: false })
    .where('id', '=', idle.self.id)
    .execute();
  const known = await recover(studio, artist.self.email);
  for (const email of ['nobody@example.com', idle.self.email]) {
    const { status, body } = await recover(studio, email);
    expect({ status, body }).toEqual({ status: known.status, body: known.body });
  }
  expect(await recoveryMails(studio)).toHaveLength(1);
  expect(complaints(await refusalOf(recoverPassword(studio.http(), 'nobody')))).toEqual({
    'path.email': 'Invalid email address',
  });
});

test('a link that has run out, was replaced or was made up is refused', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const first = await tokenFor(studio, artist);
  const second = await tokenFor(studio, artist);
  expect(second).not.toBe(first);
  for (const token of [first, 'made-up'])
    expect(
      await refusalOf(resetPassword(studio.http(), { new_password: NEW_PASSWORD, token: token })),
    ).toMatchObject(UNUSABLE);
  await studio.database
    .updateTable('password_recoveries')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute();
  expect(
    await refusalOf(resetPassword(studio.http(), { new_password: NEW_PASSWORD, token: second })),
  ).toMatchObject(UNUSABLE);
  await logIn(studio.http(), { username: artist.self.email, password: PASSWORD });
});

test('a link of someone who is no longer active is refused', async () => {
  const studio = await openTestApp({ database: 'own' });
  const token = await tokenFor(studio, await studio.artist());
  await studio.database.updateTable('artists').set({ is_active: false }).execute();
  expect(
    await refusalOf(resetPassword(studio.http(), { new_password: NEW_PASSWORD, token: token })),
  ).toMatchObject(UNUSABLE);
});

test('a link dies with the email that it was sent to', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const token = await tokenFor(studio, artist);
  const json = { email: 'moved@example.com' };
  await changeMe(studio.http(artist.token), json);
  expect(
    await refusalOf(resetPassword(studio.http(), { new_password: NEW_PASSWORD, token: token })),
  ).toMatchObject(UNUSABLE);
});

test('a mail that waits is not sent to an address that is no longer theirs', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const { token, self } = artist;
  const queue = async (email: string, changes: object) => {
    await recoverPassword(studio.http(), email);
    const one = async () => expect(await queuedRecoveries(studio)).toBe(1);
    await vi.waitFor(one, { timeout: 10_000 });
    await changeMe(studio.http(token), changes);
    return recoveryMails(studio);
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
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const token = await tokenFor(studio, artist);
  const json = { full_name: 'Somebody Else' };
  await changeMe(studio.http(artist.token), json);
  await resetPassword(studio.http(), { new_password: NEW_PASSWORD, token: token });
});

test('a link and a change of password at the same moment get along', async () => {
  const studio = await openTestApp({ database: 'own' });
  for (let round = 0; round < 6; round += 1) {
    const artist = await studio.artist();
    const token = await tokenFor(studio, artist);
    const json = { current_password: PASSWORD, new_password: 'chosen while logged in' };
    const [changed, link] = await Promise.all([
      studio.call('PATCH /users/me/password', { token: artist.token, json }),
      setTimeout(20 * round).then(() => reset(studio, token)),
    ]);
    expect([200, 400, 401]).toContain(changed.status);
    expect([200, 400]).toContain(link.status);
  }
  expect(studio.logged.filter((line) => !line.startsWith('A mail was written'))).toEqual([]);
});

test('a password that is too short uses no link up', async () => {
  const studio = await openTestApp({ database: 'own' });
  const token = await tokenFor(studio, await studio.artist());
  expect(
    complaints(
      await refusalOf(resetPassword(studio.http(), { new_password: 'short', token: token })),
    ),
  ).toEqual({
    'body.new_password': 'Password must be at least 8 characters',
  });
  await resetPassword(studio.http(), { new_password: NEW_PASSWORD, token: token });
});

test('of many who use a link at once, one does', async () => {
  const studio = await openTestApp({ database: 'own' });
  const token = await tokenFor(studio, await studio.artist());
  const answers = await Promise.all(Array.from({ length: 8 }, () => reset(studio, token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
});

test('the database holds no token that works, and the log holds neither token nor address', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const token = await tokenFor(studio, artist);
  const kept = await studio.database.selectFrom('password_recoveries').selectAll().execute();
  expect(kept).toHaveLength(1);
  expect(kept[0]?.token_hash).toHaveLength(32);
  expect(JSON.stringify(kept)).not.toContain(token);
  for (const line of studio.logged) {
    expect(line).toMatch(/^A mail was written to the outbox: [\w.-]+\.eml, with a link to http/);
    for (const secret of [token, artist.self.email]) expect(line).not.toContain(secret);
  }
  expect(studio.logged).toHaveLength(1);
});

test('nobody can flood a mailbox, and the answer does not tell', async () => {
  const studio = await openTestApp({ database: 'own', rateLimit: true });
  const { self } = await studio.artist();
  for (let n = 0; n < 8; n += 1) expect(await recover(studio, self.email)).toMatchObject(SENT);
  expect(await recoveryMails(studio)).toHaveLength(5);
});

test('a mail that cannot be sent is logged, and nobody else hears of it', async () => {
  const send = () => Promise.reject(new Error('The postman of rosa@example.com is ill'));
  const studio = await openTestApp({ database: 'own', mailer: { send, close() {} } });
  const { self } = await studio.artist({ signsUp: true });
  expect(await recover(studio, self.email)).toMatchObject(SENT);
  await studio.work();
  const why =
    /^A mail \((welcome|password_recovery)\) was not sent and is tried again: It could not be handed to the mail server\.\n +at /;
  expect(studio.logged).toEqual([expect.stringMatching(why), expect.stringMatching(why)]);
  expect(studio.logged.join()).not.toContain('rosa@');
});

test('a superuser reads the very mail, with a link that works', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const token = await studio.superuser();
  const path = `POST /password-recovery-html-content/${artist.self.email}`;
  const answer = await studio.call<string>(path, { token });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(answer.body).toContain('within one hour');
  expect(await recoveryMails(studio)).toEqual([]);
  await resetPassword(studio.http(), { new_password: NEW_PASSWORD, token: tokenIn(answer.body) });
  const nobody = 'POST /password-recovery-html-content/nobody@example.com';
  expect(await studio.call(nobody, { token })).toMatchObject(NOT_FOUND);
});

function noticeFor(name: string): MailData {
  const artist = { id: NOBODY, name, email: 'rosa@example.com' };
  return { kind: 'password_recovery', artist, occasion: 'first' };
}

test('what an artist calls themselves is only text in a mail', async () => {
  const site = { productName: 'Ink & Paper', siteUrl: 'https://book.example.com' };
  const { html } = await writeMail(site, noticeFor('<img src=x>'), 'token');
  expect(html).toContain('Hi &lt;img src=x&gt;,');
  expect(html).toContain('Ink &amp; Paper');
});

test('the link in a mail that lies in the outbox stands on one line, as it is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linework-outbox-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const outbox = createOutbox(folder, 'Linework <no-reply@localhost>', () => {});
  const site = { productName: 'Linework', siteUrl: 'http://localhost:4321' };
  const token = 'k'.repeat(32);
  const mail = await writeMail(site, noticeFor('Rosa'), token);
  await outbox.send({ ...mail, id: NOBODY, to: 'rosa@example.com' });
  const [name = ''] = await readdir(folder);
  const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
  expect(lines).toContain(`http://localhost:4321/reset-password?token=${token}`);
});
