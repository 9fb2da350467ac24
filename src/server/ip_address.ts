import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

/** The addresses of this machine and of private networks. */
const PRIVATE_NETWORKS = new BlockList();
PRIVATE_NETWORKS.addSubnet('127.0.0.0', 8);
PRIVATE_NETWORKS.addSubnet('10.0.0.0', 8);
PRIVATE_NETWORKS.addSubnet('172.16.0.0', 12);
PRIVATE_NETWORKS.addSubnet('192.168.0.0', 16);
PRIVATE_NETWORKS.addAddress('::1', 'ipv6');
PRIVATE_NETWORKS.addSubnet('fc00::', 7, 'ipv6');

/** Whether a host name or IP address means this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(::ffff:)?127\./.test(host);
}

/**
 * The client's IP address. `X-Forwarded-For` is trusted only from a proxy in a private network, as
 * other clients could forge it.
 */
export function getClientIp(request: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const peer = request.socket.remoteAddress ?? 'unknown';
  const forwardedFor = request.headers['x-forwarded-for'];
  if (forwardedFor === undefined || !isPrivateAddress(peer)) return peer;
  // The proxy appends its client's address; the client may have forged the addresses before it.
  return forwardedFor.toString().split(',').at(-1)?.trim() || peer;
}

/**
 * The key by which rate limits count clients: an IPv4 address (also as `::ffff:…`) as it is, but
 * only the first half (/64) of an IPv6 address, because one household or phone can use every
 * address in this network.
 */
export function toNetwork(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  // `::` stands for the missing groups of zeros.
  const [head = '', tail = ''] = address.split('::');
  const headGroups = head.split(':').filter(Boolean);
  const missingCount = 8 - headGroups.length - tail.split(':').filter(Boolean).length;
  // Groups after `::` are ignored. They rarely reach the first half; such addresses share a key.
  return [...headGroups, ...Array<string>(missingCount).fill('0')].slice(0, 4).join(':');
}

function isPrivateAddress(address: string): boolean {
  // `::ffff:` marks an IPv4 address in IPv6 notation.
  const plainAddress = address.replace(/^::ffff:/, '');
  return PRIVATE_NETWORKS.check(plainAddress, isIPv6(plainAddress) ? 'ipv6' : 'ipv4');
}
