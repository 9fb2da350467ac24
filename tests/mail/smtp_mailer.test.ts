import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, onTestFinished, test } from 'vitest';
import { MAIL_KINDS } from '#domain/mail/mail.ts';
import { type Mail, type Mailer, MailFailure } from '#server/mail/mailer.ts';
import { createOutboxMailer } from '#server/mail/outbox_mailer.ts';
import { createSmtpMailer } from '#server/mail/smtp_mailer.ts';
import { openFolder } from '#support/folder.ts';
import { recordLog, silentLog } from '#support/recorded_log.ts';
import {
  APPOINTMENT,
  createAppointmentNotice,
  createNotice,
  PROVEN,
  renderMail,
  SITE,
} from '#support/sample_notices.ts';
import { ODD_EMAIL } from '#support/sample_people.ts';
import { openSmtpServer } from '#support/smtp_server.ts';

const FROM = 'Ink, "Paper" & Söhne <no-reply@book.example.com>';

const PLAIN: Mail = {
  id: 'b0000000-0000-4000-8000-000000000001',
  to: 'rosa@example.com',
  subject: 'Hello',
  text: 'Hello\n',
  html: '<p>Hello</p>',
};

function openMailer(url: string, from = FROM): Mailer {
  const mailer = createSmtpMailer(url, from);
  onTestFinished(() => mailer.close());
  return mailer;
}

async function failureOf(sending: Promise<void>): Promise<MailFailure> {
  const error = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof MailFailure)) throw new Error('Expected a MailFailure');
  return error;
}

test('every kind of mail arrives with its headers, text and HTML unchanged, exactly once', async () => {
  await using smtp = await openSmtpServer();
  const mailer = openMailer(smtp.url);
  for (const kind of MAIL_KINDS) {
    const mail = {
      ...(await renderMail(SITE, [createNotice(kind)], { ...PROVEN, token: 'token' })),
      id: randomUUID(),
      to: ODD_EMAIL,
    };
    await mailer.send(mail);
    const arrived = smtp.mails.at(-1);
    expect(arrived?.subject).toBe(mail.subject);
    // PostalMime ends the parts of a mail with a calendar event with one more line break.
    expect(arrived?.text?.trimEnd()).toBe(mail.text.trimEnd());
    expect(arrived?.html?.trimEnd()).toBe(mail.html.trimEnd());
    expect(arrived?.replyTo?.[0]?.address).toBe(mail.replyTo);
    expect(arrived?.to).toEqual([{ address: ODD_EMAIL, name: '' }]);
    expect(arrived?.from).toEqual({
      address: 'no-reply@book.example.com',
      name: 'Ink, "Paper" & Söhne',
    });
    expect(arrived?.messageId).toBe(`<${mail.id}@book.example.com>`);
    expect(arrived?.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
    expect(arrived?.envelope).toEqual({
      from: 'no-reply@book.example.com',
      // The test server decodes punycode.
      to: [ODD_EMAIL.replace('xn--mnchen-3ya', 'münchen')],
    });
  }
  expect([...smtp.countDeliveries().values()]).toEqual(MAIL_KINDS.map(() => 1));
});

test('a calendar event arrives as a text/calendar part with its method, and as an .ics file', async () => {
  await using smtp = await openSmtpServer();
  const mailer = openMailer(smtp.url);
  for (const kind of ['booked', 'cancelled'] as const) {
    const mail = await renderMail(SITE, [createAppointmentNotice(kind)], PROVEN);
    await mailer.send({ ...PLAIN, ...mail });
    const { attachments: parts = [], raw = '' } = smtp.mails.at(-1) ?? {};
    expect(parts.map(({ mimeType }) => mimeType)).toEqual(['text/calendar', 'application/ics']);
    expect(parts[0]?.method).toBe(kind === 'booked' ? 'REQUEST' : 'CANCEL');
    expect(raw).toContain('text/calendar; charset=utf-8;');
    expect(parts[1]?.filename).toBe('tattoo-appointment.ics');
    const content = mail.calendar?.content ?? '';
    // PostalMime gives parts of calendar events with LF as line breaks.
    for (const part of parts) expect(part.content).toBe(content.replaceAll('\r\n', '\n'));
    expect(raw.replaceAll('\r\n', '')).toContain(Buffer.from(content).toString('base64'));
  }
});

test('the encoded mail does not break a link across lines', async () => {
  await using smtp = await openSmtpServer();
  const site = { ...SITE, siteUrl: 'http://localhost:4321' };
  const token = 'k'.repeat(32);
  const mail = await renderMail(site, [createNotice('password_recovery')], { ...PROVEN, token });
  await openMailer(smtp.url).send({ ...PLAIN, ...mail });
  const lines = smtp.mails[0]?.raw.split('\r\n');
  expect(lines).toContain(`http://localhost:4321/reset-password?token=${token}`);
});

test.each([
  'Rosa\r\nBcc: evil@example.com',
  'Rosa\nBcc: evil@example.com\n\nBody',
  'Rosa" <evil@example.com>, "x',
  '=?utf-8?q?Rosa=0ABcc:_evil@example.com?=',
  'Łukasz 🐦 אנה',
  '\u202eevil\u0000',
])('a name adds no header and no recipient: %j', async (name) => {
  await using smtp = await openSmtpServer();
  const mailer = openMailer(smtp.url);
  const named = {
    artist: { ...APPOINTMENT.artist, name },
    client: { ...APPOINTMENT.client, name },
    studio: { ...APPOINTMENT.studio, name },
  };
  for (const kind of ['booked', 'new_request'] as const) {
    await mailer.send({
      ...PLAIN,
      ...(await renderMail(SITE, [createAppointmentNotice(kind, named)], PROVEN)),
    });
    const arrived = smtp.mails.at(-1);
    expect(arrived?.envelope.to).toEqual(['rosa@example.com']);
    expect(arrived?.subject).not.toMatch(/[\r\n\0\u202e]/);
    expect(arrived?.bcc).toBe(undefined);
    expect(arrived?.headers.map(({ key }) => key)).toEqual([
      'auto-submitted',
      'from',
      'to',
      'reply-to',
      'subject',
      'message-id',
      'date',
      'mime-version',
      'content-type',
    ]);
    if (name.startsWith('Ł')) expect(arrived?.subject).toContain(name);
  }
});

test.each([
  ['550 5.1.1 <rosa@example.com>: no such user rosa@example.com here', true],
  ['552 5.2.2 The mailbox of "rosa"@example.com is full', true],
  ['450 4.2.0 rosa@example.com is greylisted', false],
  ['554 5.7.1 <rosa@example.com>: Relay access denied', false],
  ['530 5.7.0 Must log in first, rosa@example.com', false],
])(
  'the refusal %s: permanent is %s, and the failure contains no address',
  async (reply, isPermanent) => {
    await using smtp = await openSmtpServer();
    smtp.refuse('rosa@example.com', reply);
    const failure = await failureOf(openMailer(smtp.url).send(PLAIN));
    expect(failure.isPermanent).toBe(isPermanent);
    expect(failure.message).toMatch(/^The mail server refused it: \d{3} /);
    expect(failure.message).not.toMatch(/rosa|example/);
    expect(smtp.mails).toEqual([]);
    smtp.refuse('rosa@example.com', null);
    await openMailer(smtp.url).send(PLAIN);
    expect(smtp.mails).toHaveLength(1);
  },
);

test('a refusal after the data of a mail is permanent for 5xx and temporary for 4xx', async () => {
  for (const [reply, isPermanent] of [
    ['554 5.6.0 We do not like it', true],
    ['451 4.3.0 Come back later', false],
  ] as const) {
    await using smtp = await openSmtpServer({
      beforeAccepting: () => {
        throw Object.assign(new Error(reply.slice(4)), {
          responseCode: Number(reply.slice(0, 3)),
        });
      },
    });
    const failure = await failureOf(openMailer(smtp.url).send(PLAIN));
    expect(failure).toMatchObject({
      isPermanent,
      message: `The mail server refused it: ${reply}`,
    });
  }
});

test('a wrong SMTP login is a temporary failure, and its message has no password', async () => {
  await using smtp = await openSmtpServer({ login: { user: 'operator', password: 'right' } });
  await openMailer(smtp.url).send(PLAIN);
  const failure = await failureOf(openMailer(smtp.url.replace('right', 'wr0ng')).send(PLAIN));
  expect(failure.isPermanent).toBe(false);
  expect(failure.message).toBe('The mail server did not accept our login (535).');
});

test('an unreachable SMTP server is a temporary failure, and later accepts the mail once', async () => {
  await using smtp = await openSmtpServer();
  const mailer = openMailer(smtp.url);
  await mailer.send({ ...PLAIN, id: randomUUID() });
  await smtp.stop();
  const failure = await failureOf(mailer.send(PLAIN));
  expect(failure.isPermanent).toBe(false);
  expect(failure.message).toMatch(/^The mail server could not be reached \(E[A-Z]+\)\.$/);
  await smtp.start();
  await mailer.send(PLAIN);
  expect(smtp.countDeliveries().get(`<${PLAIN.id}@book.example.com>`)).toBe(1);
});

test('the mailer does not retry when the connection breaks during a mail', async () => {
  let attempts = 0;
  await using smtp = await openSmtpServer({
    beforeAccepting: async () => {
      attempts += 1;
      await smtp.stop();
      await smtp.start();
    },
  });
  expect(await failureOf(openMailer(smtp.url).send(PLAIN))).toMatchObject({ isPermanent: false });
  expect(attempts).toBe(1);
});

test('a server that does not speak SMTP is a temporary failure without credentials in its text', async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const failure = await failureOf(
    openMailer(`smtp://operator:s3cret@127.0.0.1:${port}`).send(PLAIN),
  );
  expect(failure.isPermanent).toBe(false);
  expect(failure.message).toMatch(/^The mail server /);
  expect(failure.message).not.toMatch(/s3cret|operator/);
});

test('the outbox writes mails as files that only the server’s user can read', async () => {
  const folder = await openFolder();
  const lines: string[] = [];
  const outbox = createOutboxMailer(folder, FROM, recordLog(lines));
  const token = 'k'.repeat(32);
  const idOf = (index: number) => PLAIN.id.replace(/..$/, String(10 + index));
  for (const [index, kind] of MAIL_KINDS.entries())
    await outbox.send({
      ...PLAIN,
      id: idOf(index),
      ...(await renderMail(SITE, [createNotice(kind)], {
        ...PROVEN,
        token,
        mailTokenOf: () => token,
      })),
    });
  const names = (await readdir(folder)).toSorted();
  expect(names).toHaveLength(MAIL_KINDS.length);
  for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  const booked = await PostalMime.parse(
    await readFile(join(folder, names[MAIL_KINDS.indexOf('booked')] ?? '')),
  );
  expect(booked.messageId).toBe(`<${idOf(MAIL_KINDS.indexOf('booked'))}@book.example.com>`);
  expect(booked.attachments.map(({ mimeType }) => mimeType)).toContain('text/calendar');
  expect(lines).toHaveLength(MAIL_KINDS.length);
  expect(lines.join('\n')).not.toMatch(new RegExp(`${token}|@|${APPOINTMENT.id}`));
  expect(lines[MAIL_KINDS.indexOf('hold')]).toMatch(
    /^Mail: A mail was written to the outbox: [\w.-]+\.eml, with a link to https:\/\/book\.example\.com\/confirmation\/…\?mail_token=…$/,
  );
  expect(lines[MAIL_KINDS.indexOf('password_recovery')]).toMatch(
    /, with a link to https:\/\/book\.example\.com\/reset-password\?token=…$/,
  );
});

test('the outbox deletes the copies of the mails that it is given, and no others', async () => {
  const folder = await openFolder();
  const outbox = createOutboxMailer(join(folder, 'outbox'), FROM, silentLog);
  await outbox.deleteCopies?.(['first']);
  for (const id of ['first', 'second', 'first']) await outbox.send({ ...PLAIN, id });
  await outbox.deleteCopies?.(['first', 'third']);
  const list = () => readdir(join(folder, 'outbox'));
  expect(await list()).toEqual([expect.stringMatching(/-second\.eml$/)]);
  // By their age, whatever their names are.
  await writeFile(join(folder, 'outbox', '2026-01-02T03-04-05.678Z-1a2b3c4d.eml'), 'old');
  await outbox.deleteOldCopies?.(Date.UTC(2026, 0, 2));
  expect(await list()).toHaveLength(2);
  await outbox.deleteOldCopies?.(Date.UTC(2026, 0, 3));
  expect(await list()).toEqual([expect.stringMatching(/-second\.eml$/)]);
});

test('an outbox that cannot be written is a temporary failure', async () => {
  const folder = await openFolder();
  const file = join(folder, 'outbox');
  await writeFile(file, 'not a folder');
  const failure = await failureOf(createOutboxMailer(file, FROM, silentLog).send(PLAIN));
  expect(failure.isPermanent).toBe(false);
  expect(failure.message).toMatch(/^It could not be written to a file: E\w+\.$/);
});
