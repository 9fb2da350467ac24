import { join } from 'node:path';
import { errorCode } from '#server/database/error_code.ts';
import { isLoopback } from '#server/http/ip_address.ts';
import { MailFailure } from '#server/mail/mailer.ts';
import { verifySmtp } from '#server/mail/smtp_mailer.ts';
import { error, ok, warning } from './finding.ts';
import { type Check, CONNECT_TIMEOUT_MS } from './parts.ts';

const ADVICE: Readonly<Record<string, string>> = {
  EAUTH: 'Correct user and password in SMTP_URL, and write special characters in them as %40.',
  EDNS: 'Correct the host name in SMTP_URL.',
};
const TLS_ADVICE = 'Use the port and the beginning that your mail provider names.';

/** Connects to the mail server and logs in, without sending a mail. */
export const checkMail: Check = async ({ config, dataDir }) => {
  const { smtpUrl } = config;
  if (smtpUrl === undefined)
    return warning(
      `Saved, not sent: SMTP_URL is not set, so mails are only written to ${join(dataDir, 'outbox')}.`,
      'Set SMTP_URL=smtp://user:password@host:587, and try it with `npm run mail:test`.',
    );
  const { host, hostname, protocol, password } = new URL(smtpUrl);
  const needsTls = protocol === 'smtp:' && password !== '' && !isLoopback(hostname);
  const verify = (requiresTls: boolean) =>
    verifySmtp(smtpUrl, requiresTls, CONNECT_TIMEOUT_MS / 2).then(() => true);
  try {
    // The second attempt distinguishes a mail server without TLS from one that is not there.
    if (needsTls && (await verify(true).catch(() => false)))
      return ok(`${host} lets us in by TLS.`);
    await verify(false);
  } catch (reason) {
    if (!(reason instanceof MailFailure)) throw reason;
    const { message, cause } = reason;
    const advice = message.includes('secure connection')
      ? TLS_ADVICE
      : (ADVICE[errorCode(cause) ?? ''] ?? 'Correct SMTP_URL, or start the mail server.');
    return error(`No mail is sent by ${host}. ${message}`, advice);
  }
  return needsTls
    ? warning(
        `${host} offers no TLS, so our password travels unencrypted.`,
        'Use smtps:// in SMTP_URL, or a port with STARTTLS.',
      )
    : ok(`${host} lets us in.`);
};
