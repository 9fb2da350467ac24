import { once } from 'node:events';
import { text as readText } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { freePort } from '#support/free_port.ts';

/** An SMTP server that accepts every mail, and keeps only how often each came. */
interface MailCounter extends AsyncDisposable {
  /** The value of `SMTP_URL`. */
  readonly url: string;
  /** By the id of the row in `mails`, which is in the Message-ID. */
  readonly deliveries: ReadonlyMap<string, number>;
}

export async function openMailCounter(): Promise<MailCounter> {
  const deliveries = new Map<string, number>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 1,
    logger: false,
    onData(stream, _session, done) {
      readText(stream).then((source) => {
        const id = /^Message-ID:\s*<([^@>]*)/im.exec(source)?.[1] ?? 'none';
        deliveries.set(id, (deliveries.get(id) ?? 0) + 1);
        done(null);
      }, done);
    },
  });
  // A sender may be killed during a transfer.
  server.on('error', () => {});
  const port = await freePort();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    url: `smtp://127.0.0.1:${port}`,
    deliveries,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
