import { createTransport } from 'nodemailer';
import { toSmtpFailure } from './delivery_failure.ts';
import type { Mailer } from './mailer.ts';
import { toNodemailerMessage } from './nodemailer_message.ts';

/** As many as there are mails under way at once. */
const MAX_CONNECTIONS = 5;
// A job that takes two minutes is taken for dead and done again by somebody else: these waits
// follow one another, and are over well before.
const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 30_000;

/**
 * Hands mail to a server, over connections that stay open for the next one.
 * @param url `smtp://user:password@host:587`, which turns to TLS if the server can, or `smtps://…`
 * @param from of every mail, such as `Linework <no-reply@book.example.com>`
 */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // Whether a mail is tried again, and when, is for its job to say.
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
