import { join } from 'node:path';
import type { Mailer } from './mailer.ts';
import { createOutboxMailer } from './outbox_mailer.ts';
import { createSmtpMailer } from './smtp_mailer.ts';

/** The settings that say what becomes of mail. */
interface MailSettings {
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
}

/** Hands mail to the server that is set, or else writes it to files under `dataDir`. */
export function openMailer(
  { smtpUrl, mailFrom }: MailSettings,
  dataDir: string,
  log: (line: string) => void,
): Mailer {
  return smtpUrl === undefined
    ? createOutboxMailer(join(dataDir, 'outbox'), mailFrom, log)
    : createSmtpMailer(smtpUrl, mailFrom);
}
