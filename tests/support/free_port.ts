import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below those that Linux and macOS give to outgoing connections. */
const PORTS = { first: 20_000, count: 12_000 };

/**
 * A free port on 127.0.0.1 that no outgoing connection is given, so that it stays free while nobody
 * listens on it: for a server that is told its port, or that stops and starts again.
 * @param count this many ports are free, the answer first
 */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * (PORTS.count - count));
    const servers = Array.from({ length: count }, () => createServer());
    const ports = await Promise.allSettled(servers.map((one, nth) => listenOn(one, port + nth)));
    await Promise.all(servers.filter((one) => one.listening).map(closeServer));
    if (ports.every(({ status }) => status === 'fulfilled')) return port;
  }
}

/** Listens on 127.0.0.1; answers the port, any that is free unless it is given. */
export async function listenOn(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('It listens nowhere');
  return address.port;
}

export async function closeServer(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
