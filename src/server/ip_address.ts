import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

/** Addresses that only reach us from this machine or a network of our own. */
const PRIVATE_NETWORKS = new BlockList();
PRIVATE_NETWORKS.addSubnet('127.0.0.0', 8);
PRIVATE_NETWORKS.addSubnet('10.0.0.0', 8);
PRIVATE_NETWORKS.addSubnet('172.16.0.0', 12);
PRIVATE_NETWORKS.addSubnet('192.168.0.0', 16);
PRIVATE_NETWORKS.addAddress('::1', 'ipv6');
PRIVATE_NETWORKS.addSubnet('fc00::', 7, 'ipv6');

/** Whether a host or address is this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(::ffff:)?127\./.test(host);
}

/**
 * The address of who asks. A proxy on this machine or on a network of our own is believed about
 * whom it asks for; anyone else could claim to be anyone.
 */
export function getClientAddress(request: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const direct = request.socket.remoteAddress ?? 'unknown';
  const forwarded = request.headers['x-forwarded-for'];
  if (forwarded === undefined || !isPrivateAddress(direct)) return direct;
  const chain = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
  return chain.split(',').at(-1)?.trim() || direct;
}

/**
 * Whom tries are counted by. A household or a phone is given a whole IPv6 /64 and could use a new
 * address for each try.
 */
export function toNetwork(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = 8 - groups.length - tail.split(':').filter(Boolean).length;
  return [...groups, ...Array<string>(missing).fill('0')].slice(0, 4).join(':');
}

function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/^::ffff:/, '');
  return PRIVATE_NETWORKS.check(bare, isIPv6(bare) ? 'ipv6' : 'ipv4');
}
