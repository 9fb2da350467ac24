// `npm run mail:test -- someone@example.com`: sends a test mail with the settings of the server.
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { Email } from '#contract/common.ts';
import { ConfigError, listConfigWarnings, readConfig } from '#server/config.ts';
import { createLog } from '#server/log.ts';
import { MailFailure } from '#server/mail/mailer.ts';
import { openMailer } from '#server/mail/open_mailer.ts';

const [address, ...more] = process.argv.slice(2);
const to = Email.safeParse(address);
if (!to.success || more.length > 0) {
  if (address !== undefined && more.length === 0) console.error(`${address} is no email address.`);
  console.error('Usage: npm run mail:test -- someone@example.com');
  process.exit(2);
}
try {
  const config = readConfig(process.env);
  const { productName, siteUrl, smtpUrl } = config;
  const server = smtpUrl === undefined ? undefined : new URL(smtpUrl).host;
  if (server !== undefined) {
    console.log(`Handing a mail to ${server} …`);
    for (const line of listConfigWarnings(config)) console.log(line);
  }
  const mailer = openMailer(config, resolve(config.dataDir), createLog(config.log));
  const text = `This is a test mail of ${productName} at ${siteUrl}. Mail works.\n`;
  await mailer.send({
    id: randomUUID(),
    to: to.data,
    subject: `${productName}: a test mail`,
    text,
    html: `<p>${text}</p>`,
  });
  mailer.close();
  console.log(
    server === undefined
      ? `SMTP_URL is not set, so the mail lies in ${resolve(config.dataDir, 'outbox')}.`
      : `The mail server ${server} took the mail. Look for it in the mailbox, or in its spam.`,
  );
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof MailFailure)) throw error;
  console.error(error.message);
  process.exit(1);
}
