import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** When a connection is closed whose client does not read. */
export interface UnreadLimits {
  /** A client that reads nothing of its answer for this long is gone, or wants to use up memory. */
  readonly unreadMs: number;
  /** How often new unread answers are looked for. */
  readonly checkIntervalMs: number;
}
const LIMITS: UnreadLimits = { unreadMs: 120_000, checkIntervalMs: 5000 };

/**
 * Closes connections whose clients do not read their answers: each holds memory and a descriptor. With each
 * byte that a client reads, Node starts the timeout of its socket again; before the next request, Node itself
 * sets another timeout.
 */
export function closeUnreadConnections(
  server: Server,
  connections: ReadonlySet<Socket>,
  { unreadMs, checkIntervalMs } = LIMITS,
): void {
  const check = setInterval(() => {
    for (const socket of connections)
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(unreadMs);
  }, checkIntervalMs);
  check.unref();
  server.once('close', () => clearInterval(check));
}
