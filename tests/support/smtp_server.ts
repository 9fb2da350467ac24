import { once } from 'node:events';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { freePort } from './free_port.ts';

/** A received mail: its SMTP envelope, source and parsed content. */
interface ReceivedMail extends Email {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly raw: string;
}

export type SmtpServer = Awaited<ReturnType<typeof openSmtpServer>>;

interface SmtpOptions {
  /** The required login; none by default. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Awaited after a mail is received and before it is accepted. */
  readonly beforeAccepting?: (mail: ReceivedMail) => Promise<void> | void;
}

/**
 * Opens a local SMTP server, on a port that stays reserved while it is stopped. Open it with
 * `await using`.
 */
export async function openSmtpServer({ login, beforeAccepting }: SmtpOptions = {}) {
  const mails: ReceivedMail[] = [];
  const refused = new Map<string, string>();
  const sockets = new Set<Socket>();
  const listen = async (port: number): Promise<SMTPServer> => {
    const server = new SMTPServer({
      authOptional: login === undefined,
      allowInsecureAuth: true,
      // Clients would refuse the server's self-signed certificate.
      disabledCommands: ['STARTTLS', ...(login ? [] : ['AUTH'])],
      disableReverseLookup: true,
      closeTimeout: 1,
      logger: false,
      onAuth({ username, password }, _session, done) {
        if (username === login?.user && password === login?.password)
          done(null, { user: username });
        else done(createSmtpError(`535 5.7.8 Bad login for ${username}`));
      },
      onRcptTo({ address }, _session, done) {
        const reply = refused.get(address.toLowerCase());
        done(reply === undefined ? null : createSmtpError(reply));
      },
      onData(stream, { envelope }, done) {
        const receive = async () => {
          const raw = await buffer(stream);
          const mail = {
            ...(await PostalMime.parse(raw, { attachmentEncoding: 'utf8' })),
            raw: raw.toString(),
            envelope: {
              from: envelope.mailFrom ? envelope.mailFrom.address : '',
              to: envelope.rcptTo.map(({ address }) => address),
            },
          };
          await beforeAccepting?.(mail);
          mails.push(mail);
        };
        receive().then(() => done(null), done);
      },
    });
    // A sender may be killed during a transfer.
    server.on('error', () => {});
    server.server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return server;
  };
  const dropConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  const port = await freePort();
  let server = await listen(port);
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= new Promise((resolve) => server.close(() => resolve()));
    // `close` alone would first send a 421 reply to each client.
    dropConnections();
    return stopped;
  };
  return {
    /** The value of `SMTP_URL`. Stays the same over `stop` and `start`. */
    url: `smtp://${login ? `${login.user}:${encodeURIComponent(login.password)}@` : ''}127.0.0.1:${port}`,
    /** The accepted mails, in order. Survive `stop` and `start`. */
    mails: mails as readonly ReceivedMail[],
    /** The number of accepted mails by Message-ID. */
    countDeliveries(): ReadonlyMap<string, number> {
      const counts = new Map<string, number>();
      for (const { messageId = '' } of mails)
        counts.set(messageId, (counts.get(messageId) ?? 0) + 1);
      return counts;
    },
    /** Refuses mail to the address with a reply such as '550 No such user'; null accepts it again. */
    refuse(address: string, reply: string | null) {
      if (reply === null) refused.delete(address.toLowerCase());
      else refused.set(address.toLowerCase(), reply);
    },
    /** Closes the connections without an answer, and accepts new ones. */
    dropConnections,
    /** Stops immediately, like a power failure. */
    stop,
    /** Starts again on the same port. */
    async start() {
      await stop();
      server = await listen(port);
      stopped = undefined;
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** An error that smtp-server sends as this reply, such as `550 No such user`. */
function createSmtpError(reply: string): Error {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
}
