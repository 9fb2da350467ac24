import { expect, test } from 'vitest';
import { freePort } from '#support/free_port.ts';
import { openDemo } from '#support/sandbox.ts';
import { openSmtpServer } from '#support/smtp_server.ts';

const DOCTOR = ['run', '--silent', 'doctor'];

test('with WORKERS, only the first process logs what the doctor found', async () => {
  await using sandbox = await openDemo();
  await using smtp = await openSmtpServer();
  const port = await freePort();
  const env = {
    PORT: String(port),
    RATE_LIMIT: 'on',
    WORKERS: '2',
    SMTP_URL: smtp.url,
    SITE_URL: `http://127.0.0.1:${port}`,
  };
  const server = await sandbox.serve({ env });
  await server.waitForOutput(/Doctor: /);
  await server.stop();
  // The address of this machine is fine for a test, and not for mails.
  expect(server.output().match(/WARN: Doctor: .*$|ERROR: Doctor: .*$/gm)).toEqual([
    `WARN: Doctor: site address: Links in mails lead to http://127.0.0.1:${port}, which only this machine finds. Set SITE_URL to the public address.`,
  ]);
});

test('npm run doctor finds a running server, and exits with 1 only because of an error', async () => {
  await using sandbox = await openDemo();
  const port = String(await freePort());
  const env = { PORT: port };
  const server = await sandbox.serve({ env });
  await server.waitForOutput(/WARN: Doctor: mail: Saved, not sent: SMTP_URL is not set/);
  const healthy = sandbox.launch({ npmArgs: [...DOCTOR, '--', '--json'], env });
  await healthy.waitForOutput(/This service answers at http:\/\/localhost:\d+/);
  expect(await healthy.exited).toMatchObject({ code: 0 });
  const wrong = { ...env, SMTP_URL: 'smtp://127.0.0.1:1', SITE_ULR: 'x' };
  const broken = sandbox.launch({ npmArgs: DOCTOR, env: wrong });
  await broken.waitForOutput(/warning +settings: SITE_ULR .* Did you mean SITE_URL\?/);
  await broken.waitForOutput(/error +mail: No mail is sent by 127\.0\.0\.1:1\./);
  expect(await broken.exited).toMatchObject({ code: 1 });
});
