import { join } from 'node:path';
import type { Mailer } from './mailer.ts';
import { createOutboxMailer } from './outbox_mailer.ts';
import { createSmtpMailer } from './smtp_mailer.ts';

/** Sends mail by SMTP, or writes it to files in `dataDir` when no SMTP server is set. */
export function openMailer(
  { smtpUrl, mailFrom }: { readonly smtpUrl: string | undefined; readonly mailFrom: string },
  dataDir: string,
  log: (line: string) => void,
): Mailer {
  return smtpUrl === undefined
    ? createOutboxMailer(join(dataDir, 'outbox'), mailFrom, log)
    : createSmtpMailer(smtpUrl, mailFrom);
}
