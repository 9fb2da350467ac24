import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { openFolder } from '#support/folder.ts';
import { openSmtpServer } from '#support/smtp_server.ts';

// Each test starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const SCRIPT = join(import.meta.dirname, '../../scripts/send_test_mail.ts');

/** Runs `npm run mail:test` with these arguments and only these settings. */
async function runMailTest(args: readonly string[], settings: Record<string, string>) {
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
  });
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ]);
  return { out, err, code };
}

test('a test mail arrives, and the output names the mail server without its password', async () => {
  await using smtp = await openSmtpServer({ login: { user: 'operator', password: 's3cret' } });
  const { out, err, code } = await runMailTest(['someone@example.com'], {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Ink <hello@ink.example>',
  });
  expect({ err, code }).toEqual({ err: '', code: 0 });
  expect(out).toContain(`The mail server ${new URL(smtp.url).host} took the mail.`);
  expect(out).not.toContain('s3cret');
  expect(smtp.mails.map(({ subject, envelope }) => [subject, envelope.to, envelope.from])).toEqual([
    ['Linework: a test mail', ['someone@example.com'], 'hello@ink.example'],
  ]);
});

test('without SMTP_URL the mail is written to the outbox, and the output names the folder', async () => {
  const dataDir = await openFolder();
  const { out, code } = await runMailTest(['someone@example.com'], { DATA_DIR: dataDir });
  expect(code).toBe(0);
  const folder = join(dataDir, 'outbox');
  expect(out).toContain(`Saved, not sent: SMTP_URL is not set, so the mail lies in ${folder}.`);
  const [name = ''] = await readdir(folder);
  expect(await readFile(join(folder, name), 'utf8')).toContain('To: someone@example.com');
});

test('a refusal by the mail server is printed', async () => {
  await using smtp = await openSmtpServer();
  smtp.refuse('someone@example.com', '550 5.1.1 No such user');
  const { err, code } = await runMailTest(['someone@example.com'], { SMTP_URL: smtp.url });
  expect(code).toBe(1);
  expect(err).toBe('The mail server refused it: 550 5.1.1 No such user\n');
});

test.each([[[]], [['not an address']], [['a@example.com', 'b@example.com']]])(
  'the arguments %j print the usage',
  async (args) => {
    const { err, code } = await runMailTest(args, {});
    expect(code).toBe(2);
    expect(err).toMatch(
      /^(not an address is no email address\.\n)?Usage: npm run mail:test -- someone@example\.com\n$/,
    );
  },
);
