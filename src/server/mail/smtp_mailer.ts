import { createTransport } from 'nodemailer';
import { toSmtpFailure } from './delivery_failure.ts';
import type { Mailer } from './mailer.ts';
import { toNodemailerMessage } from './nodemailer_message.ts';

/** The job queue sends as many mails at the same time. */
const MAX_CONNECTIONS = 5;
// The four timeouts below last at most one minute in all; the job queue allows two for an attempt.
const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;

/**
 * Connects to a mail server and logs in, without sending a mail.
 * @param requiresTls whether to refuse a mail server without TLS
 * @param timeoutMs for each step: to find, to connect, to log in
 * @throws MailFailure when that fails
 */
export async function verifySmtp(
  url: string,
  requiresTls: boolean,
  timeoutMs: number,
): Promise<void> {
  const transport = createTransport({
    url,
    requireTLS: requiresTls,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    await transport.verify();
  } catch (error) {
    throw toSmtpFailure(error);
  } finally {
    transport.close();
  }
}

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
