import { once } from 'node:events';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { freePort } from './free_port.ts';

/** A mail as it arrived: what its sender said on the way, and what can be read in it. */
interface ReceivedMail extends ParsedMail {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly raw: string;
}

/** A mail server on this machine. Close it, or open it with `await using`. */
export interface SmtpServer extends AsyncDisposable {
  /** For `SMTP_URL`; stays the same over `stop` and `start`. */
  readonly url: string;
  /** What was taken, in order; kept over `stop` and `start`. */
  readonly mails: readonly ReceivedMail[];
  /** How often each Message-ID was taken. */
  countDeliveries(): ReadonlyMap<string, number>;
  /** Answers so, such as '550 No such user', to mail for the address; null takes it again. */
  refuse(address: string, answer: string | null): void;
  /** Goes away at once, as if it had been switched off. */
  stop(): Promise<void>;
  /** Comes back on the same port. */
  start(): Promise<void>;
}

interface SmtpOptions {
  /** Who may send; anybody unless given. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Awaited before a mail that is all there is taken. */
  readonly beforeAccepting?: (mail: ReceivedMail) => Promise<void> | void;
}

/** Opens a mail server on a port that stays its own while it is stopped. */
export async function openSmtpServer({
  login,
  beforeAccepting: beforeTaking,
}: SmtpOptions = {}): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const refused = new Map<string, string>();
  const sockets = new Set<Socket>();
  const listen = async (port: number): Promise<SMTPServer> => {
    const server = new SMTPServer({
      authOptional: login === undefined,
      allowInsecureAuth: true,
      // Its own certificate is nobody's: clients that are offered it would refuse it.
      disabledCommands: ['STARTTLS', ...(login ? [] : ['AUTH'])],
      disableReverseLookup: true,
      closeTimeout: 1,
      logger: false,
      onAuth({ username, password }, _session, answer) {
        if (username === login?.user && password === login?.password)
          answer(null, { user: username });
        else answer(createSmtpError(`535 5.7.8 Bad login for ${username}`));
      },
      onRcptTo({ address }, _session, answer) {
        const no = refused.get(address.toLowerCase());
        answer(no === undefined ? null : createSmtpError(no));
      },
      onData(stream, { envelope }, answer) {
        const take = async () => {
          const raw = await buffer(stream);
          const mail = {
            ...(await simpleParser(raw)),
            raw: raw.toString(),
            envelope: {
              from: envelope.mailFrom ? envelope.mailFrom.address : '',
              to: envelope.rcptTo.map(({ address }) => address),
            },
          };
          await beforeTaking?.(mail);
          mails.push(mail);
        };
        take().then(() => answer(null), answer);
      },
    });
    // Whoever sends may be killed in the middle of it.
    server.on('error', () => {});
    server.server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return server;
  };
  const port = await freePort();
  let server = await listen(port);
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= new Promise((resolve) => server.close(() => resolve()));
    // By itself it would say farewell first.
    for (const socket of sockets) socket.destroy();
    return stopped;
  };
  return {
    url: `smtp://${login ? `${login.user}:${encodeURIComponent(login.password)}@` : ''}127.0.0.1:${port}`,
    mails,
    countDeliveries() {
      const counts = new Map<string, number>();
      for (const { messageId = '' } of mails)
        counts.set(messageId, (counts.get(messageId) ?? 0) + 1);
      return counts;
    },
    refuse(address, answer) {
      if (answer === null) refused.delete(address.toLowerCase());
      else refused.set(address.toLowerCase(), answer);
    },
    stop,
    async start() {
      await stop();
      server = await listen(port);
      stopped = undefined;
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** An error that the server tells its client as this answer, `550 No such user`. */
function createSmtpError(answer: string): Error {
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });
}
