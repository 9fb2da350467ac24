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
    const listeners = await Promise.all(
      Array.from({ length: count }, (_, nth) => listen(port + nth).catch(() => undefined)),
    );
    await Promise.all(listeners.map(async (listener) => listener && close(listener)));
    if (listeners.every((listener) => listener !== undefined)) return port;
  }
}

async function listen(port: number): Promise<Server> {
  const listener = createServer().listen(port, '127.0.0.1');
  await once(listener, 'listening');
  return listener;
}

async function close(listener: Server): Promise<void> {
  listener.close();
  await once(listener, 'close');
}
