import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Mailer } from './mailer.ts';
import { createOutboxMailer } from './outbox_mailer.ts';
import { createSmtpMailer } from './smtp_mailer.ts';

/** Sends mail by SMTP, or writes it to files in `dataDir` when no SMTP server is set. */
export function openMailer(
  { smtpUrl, mailFrom }: { readonly smtpUrl: string | undefined; readonly mailFrom: string },
  dataDir: string,
  log: Logger,
): Mailer {
  return smtpUrl === undefined
    ? createOutboxMailer(join(dataDir, 'outbox'), mailFrom, log)
    : createSmtpMailer(smtpUrl, mailFrom);
}
