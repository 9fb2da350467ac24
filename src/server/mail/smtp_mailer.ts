import { createTransport } from 'nodemailer';
import PQueue from 'p-queue';
import { toSmtpFailure } from './delivery_failure.ts';
import { type Mailer, MailFailure } from './mailer.ts';
import { toNodemailerMessage } from './nodemailer_message.ts';

/** Mails that are sent at the same time; the job queue gives more at once, which wait for a connection. */
const MAX_CONNECTIONS = 5;
// The job queue allows two minutes for an attempt, of which five seconds may pass before it begins. The four timeouts
// below last at most one minute in all, and saving the result half a minute. A mail that has waited longer than this for
// a connection is not sent.
const MAX_WAIT_MS = 15_000;
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
  const queue = new PQueue({ concurrency: MAX_CONNECTIONS });
  return {
    send(mail) {
      const waitEnd = performance.now() + MAX_WAIT_MS;
      return queue.add(async () => {
        if (performance.now() > waitEnd)
          throw new MailFailure('The mail server is too slow.', { isPermanent: false });
        try {
          await transport.sendMail(toNodemailerMessage(mail, from));
        } catch (error) {
          throw toSmtpFailure(error);
        }
      });
    },
    close: () => transport.close(),
  };
}
