import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { closeServer, listenOn } from './free_port.ts';

/** A message of PostgreSQL's protocol: a letter, the length of the rest, the rest. */
function message(letter: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const LOGGED_IN = message('R', Buffer.from([0, 0, 0, 0]));
const READY = message('Z', Buffer.from('I'));

/** The answer to `SHOW server_version`. */
function versionAnswer(version: string): Buffer {
  const column = Buffer.concat([Buffer.from('server_version\0'), Buffer.alloc(18)]);
  // Its type is text, of any length.
  column.writeInt32BE(25, column.length - 12);
  column.writeInt16BE(-1, column.length - 8);
  const length = Buffer.alloc(4);
  length.writeInt32BE(version.length);
  return Buffer.concat([
    message('T', Buffer.concat([Buffer.from([0, 1]), column])),
    message('D', Buffer.concat([Buffer.from([0, 1]), length, Buffer.from(version)])),
    message('C', Buffer.from('SHOW\0')),
    READY,
  ]);
}

/** The URL of a server that lets everyone in and knows nothing but its version, until the test ends. */
export async function openOldPostgres(version: string): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let isLoggedIn = false;
    socket.on('data', (bytes) => {
      if (!isLoggedIn) socket.write(Buffer.concat([LOGGED_IN, READY]));
      else if (bytes.toString('latin1', 0, 1) === 'Q') socket.write(versionAnswer(version));
      isLoggedIn = true;
    });
  });
  const port = await listenOn(server);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await closeServer(server);
  });
  return `postgresql://somebody@127.0.0.1:${port}/linework`;
}
