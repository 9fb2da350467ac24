import { createTransport } from 'nodemailer';
import { toSmtpFailure } from './delivery_failure.ts';
import type { Mailer } from './mailer.ts';
import { toNodemailerMessage } from './nodemailer_message.ts';

/** Equal to the number of mails that the job queue sends at the same time. */
const MAX_CONNECTIONS = 5;
// The four timeouts below last at most one minute in all; the job queue allows two for an attempt.
const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;

/**
 * Sends mail over pooled connections.
 * @param url `smtp://user:password@host:587` (STARTTLS if the server supports it), or `smtps://…`
 * @param from the sender, such as `Linework <no-reply@book.example.com>`
 */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // nodemailer does not repeat failed mails, because the job queue does.
    maxRequeues: 0,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail(toNodemailerMessage(mail, from));
      } catch (error) {
        throw toSmtpFailure(error);
      }
    },
    close: () => transport.close(),
  };
}
