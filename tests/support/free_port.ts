import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ephemeral ports of Linux and macOS. */
const PORTS = { first: 20_000, count: 12_000 };

/**
 * A free port on 127.0.0.1, for a server that gets its port as a setting or that restarts. No
 * outgoing connection can take the port while nothing listens on it.
 * @param count so many consecutive ports are free; the first is returned
 */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * (PORTS.count - count));
    const servers = Array.from({ length: count }, () => createServer());
    const ports = await Promise.allSettled(
      servers.map((server, nth) => listenOn(server, port + nth)),
    );
    await Promise.all(servers.filter((server) => server.listening).map(closeServer));
    if (ports.every(({ status }) => status === 'fulfilled')) return port;
  }
}

/** Listens on 127.0.0.1 and returns the port: by default any free one. */
export async function listenOn(server: Server, port = 0): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null)
    throw new Error('The server has no TCP port');
  return address.port;
}

export async function closeServer(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
