// `npm run mail:test -- someone@example.com`: sends a test mail with the settings of the server.
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { Email } from '#contract/common.ts';
import { createLog } from '#server/log/log.ts';
import { openMailer } from '#server/mail/open_mailer.ts';
import { readConfig } from '#server/settings/config.ts';
import { runCommand } from './run_command.ts';

const [address, ...more] = process.argv.slice(2);
const to = Email.safeParse(address);
if (!to.success || more.length > 0) {
  if (address !== undefined && more.length === 0) console.error(`${address} is no email address.`);
  console.error('Usage: npm run mail:test -- someone@example.com');
  process.exit(2);
}
await runCommand(async () => {
  const config = readConfig(process.env);
  const { productName, siteUrl, smtpUrl } = config;
  const server = smtpUrl === undefined ? undefined : new URL(smtpUrl).host;
  if (server !== undefined) console.log(`Handing a mail to ${server} …`);
  using resources = new DisposableStack();
  const log = createLog(config.log);
  const mailer = resources.adopt(openMailer(config, resolve(config.dataDir), log), (opened) =>
    opened.close(),
  );
  const text = `This is a test mail of ${productName} at ${siteUrl}. Mail works.\n`;
  await mailer.send({
    id: randomUUID(),
    to: to.data,
    subject: `${productName}: a test mail`,
    text,
    html: `<p>${text}</p>`,
  });
  console.log(
    server === undefined
      ? `Saved, not sent: SMTP_URL is not set, so the mail lies in ${resolve(config.dataDir, 'outbox')}.`
      : `The mail server ${server} took the mail. Look for it in the mailbox, or in its spam.`,
  );
});
