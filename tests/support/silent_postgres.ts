import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { closeServer, listenOn } from './free_port.ts';

/** The URL of a server that accepts connections and never answers, until the test ends. */
export async function openSilentPostgres(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket));
  const port = await listenOn(server);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await closeServer(server);
  });
  return `postgresql://nobody@127.0.0.1:${port}/nothing`;
}
