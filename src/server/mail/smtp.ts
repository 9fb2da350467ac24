import { createTransport } from 'nodemailer';
import { smtpFailure } from './failure.ts';
import type { Mailer } from './mailer.ts';
import { toMessage } from './message.ts';

/** As many as there are mails under way at once. */
const CONNECTIONS = 5;
// A job that takes two minutes is taken for dead and done again by somebody else: these waits
// follow one another, and are over well before.
const REACH_MS = 10_000;
const ANSWER_MS = 30_000;

/**
 * Hands mail to a server, over connections that stay open for the next one.
 * @param url `smtp://user:password@host:587`, which turns to TLS if the server can, or `smtps://…`
 * @param from of every mail, such as `Linework <no-reply@book.example.com>`
 */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    // Whether a mail is tried again, and when, is for its job to say.
    maxRequeues: 0,
    dnsTimeout: REACH_MS,
    connectionTimeout: REACH_MS,
    greetingTimeout: REACH_MS,
    socketTimeout: ANSWER_MS,
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail(toMessage(mail, from));
      } catch (error) {
        throw smtpFailure(error);
      }
    },
    close: () => transport.close(),
  };
}
