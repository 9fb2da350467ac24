import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { freePort } from './free_port.ts';

/**
 * A TCP proxy to a database, until the test ends. `close` disconnects all clients, and `open` accepts
 * them again. While it is frozen, it accepts connections and passes on nothing; `thaw` passes on all
 * that has come.
 */
export async function openDatabaseProxy(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let connections = 0;
  let answers = 0;
  const server = createServer((socket) => {
    connections += 1;
    const upstream = connect(Number(port), hostname);
    upstream.on('data', (bytes) => {
      if (bytes.includes('SELECT 1')) answers += 1;
    });
    for (const [source, target] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(source);
      source.on('data', (bytes) => target.write(bytes));
      source
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(source);
          target.destroy();
        });
      if (isFrozen) source.pause();
    }
  });
  const proxyPort = await freePort();
  const open = async () => {
    server.listen(proxyPort, '127.0.0.1');
    await once(server, 'listening');
  };
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await open();
  onTestFinished(close);
  const url = new URL(databaseUrl);
  url.port = String(proxyPort);
  return {
    url: url.href,
    close,
    open,
    /** How many connections there were. */
    connections: () => connections,
    /** How many answers of one row came from the database. */
    answers: () => answers,
    /** Freezes the open connections; new ones too, except with `onlyOpen`. */
    freeze({ onlyOpen = false } = {}) {
      isFrozen = !onlyOpen;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
