import type { IncomingMessage } from 'node:http';

/** Whether a host or address is this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(::ffff:)?127\./.test(host);
}

/**
 * The address of who asks. A proxy on this machine is believed about whom it asks for; anyone else
 * could claim to be anyone.
 */
export function addressOf(request: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const direct = request.socket.remoteAddress ?? 'unknown';
  const forwarded = request.headers['x-forwarded-for'];
  if (!isLoopback(direct) || forwarded === undefined) return direct;
  const chain = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
  return chain.split(',').at(-1)?.trim() || direct;
}
