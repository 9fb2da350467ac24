/** IP addresses of clients and proxies. An IPv4 address in IPv6 notation counts as IPv4. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { VISITOR_HEADER } from '#domain/requests/visitor_header.ts';
import { PROXY_NETWORKS } from './proxy_networks.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** An address, and how many of its first bits are those of the network. */
type Network = [Address, number];

/** The proxies whose `X-Forwarded-For` is true. */
export type TrustedProxies = readonly Network[];

/** This machine and private networks. */
export const LOCAL_PROXIES = parseTrustedProxies(
  '127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,::1/128,fc00::/7',
);

/** How many bits of an address name the network of one household or company. */
const IPV4_PREFIX = 24;
const IPV6_PREFIX = 56;

/** Whether a host name or IP address means this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(::ffff:)?127\./.test(host);
}

/**
 * @param list addresses, networks such as `10.0.0.0/8`, and `cloudflare` or `fastly` for all of
 *   their networks, with commas between them
 * @throws Error when an entry is none of these
 */
export function parseTrustedProxies(list: string): TrustedProxies {
  return list.split(',').flatMap((entry) => {
    const name = entry.trim().toLowerCase();
    if (name === 'cloudflare' || name === 'fastly') return PROXY_NETWORKS[name].map(parseNetwork);
    return [parseNetwork(name)];
  });
}

/** Whether a request comes directly from a trusted proxy, so that the headers it adds are true. */
export function isFromTrustedProxy(
  { socket }: Pick<IncomingMessage, 'socket'>,
  trustedProxies: TrustedProxies,
): boolean {
  return isTrustedAddress(socket.remoteAddress ?? '', trustedProxies);
}

/**
 * The client's IP address. Each proxy adds the address of its own client to the right end of
 * `X-Forwarded-For`, so the rightmost address that is not a trusted proxy is the client's. The client
 * may have forged the addresses before it.
 * @param visitorKey if set, the client of a site on another host is the visitor whose address that host has signed
 * @param onUnsigned called when a request names a visitor without a valid signature
 */
export function getClientIp(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: TrustedProxies,
  visitorKey?: string,
  onUnsigned = () => {},
): string {
  if (VISITOR_HEADER.toLowerCase() in request.headers) {
    const visitor = visitorKey && readSignedAddress(request.headers, visitorKey);
    if (visitor) return visitor;
    onUnsigned();
  }
  const peer = request.socket.remoteAddress ?? 'unknown';
  const forwardedFor = request.headers['x-forwarded-for'];
  if (forwardedFor === undefined || !isTrustedAddress(peer, trustedProxies)) return peer;
  let client = peer;
  for (const entry of forwardedFor.toString().split(',').reverse()) {
    const address = parseAddress(withoutPort(entry.trim()));
    // Not an address: nobody knows who wrote this entry, and those before it.
    if (!address) return client;
    client = address.toString();
    if (!isTrusted(address, trustedProxies)) return client;
  }
  return client;
}

/** The address that a site on another host has signed (`src/visitor_address.ts`); undefined if none is valid. */
function readSignedAddress(headers: IncomingMessage['headers'], key: string): string | undefined {
  const header = headers[VISITOR_HEADER.toLowerCase()];
  if (typeof header !== 'string') return undefined;
  const [text = '', signature = ''] = header.split(' ');
  const expected = createHmac('sha256', key).update(text).digest();
  const given = Buffer.from(signature, 'base64');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return parseAddress(withoutPort(text))?.toString();
}

/**
 * The key by which rate limits count clients: the network `/24` of an IPv4 address, and the network
 * `/56` of an IPv6 address, because one household or company can use every address in it. A text
 * that is not an address is its own key.
 */
export function toNetwork(address: string): string {
  const parsed = parseAddress(address);
  if (!parsed) return address;
  const [first, prefix] =
    parsed instanceof ipaddr.IPv4
      ? [ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/${IPV4_PREFIX}`), IPV4_PREFIX]
      : [ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(parsed)}/${IPV6_PREFIX}`), IPV6_PREFIX];
  return `${first}/${prefix}`;
}

/** Undefined for a text in another than the usual notations: `ipaddr.js` alone would also read `127.1`. */
function parseAddress(text: string): Address | undefined {
  if (!ipaddr.IPv6.isValid(text) && !ipaddr.IPv4.isValidFourPartDecimal(text)) return undefined;
  return ipaddr.process(text);
}

/** @throws Error when the text is neither an address nor a network */
function parseNetwork(text: string): Network {
  const [start = '', length] = text.split('/', 2);
  const address = parseAddress(start);
  if (!address) throw new Error(`${text} is no IP address or network`);
  const bits = address.toByteArray().length * 8;
  // Of an IPv4 address in IPv6 notation, the first 96 bits are the notation.
  const notationBits = address instanceof ipaddr.IPv4 && start.includes(':') ? 96 : 0;
  const prefix = length === undefined ? bits : Number(length) - notationBits;
  if ((length !== undefined && !/^\d{1,3}$/.test(length)) || prefix < 0 || prefix > bits)
    throw new Error(`${text} is no network`);
  return [address, prefix];
}

function isTrusted(address: Address | undefined, proxies: TrustedProxies): boolean {
  return (
    address !== undefined &&
    proxies.some((network) => network[0].kind() === address.kind() && address.match(network))
  );
}

/** Whether an address is in the networks of the trusted proxies. */
export function isTrustedAddress(address: string, proxies: TrustedProxies): boolean {
  return isTrusted(parseAddress(address), proxies);
}

/** Removes a port: `1.2.3.4:5678` and `[2001:db8::1]:443` have one. */
function withoutPort(text: string): string {
  const [, host = text] = /^\[(.*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? [];
  return host;
}

/** A zone, such as `eth0` in `fe80::1%eth0`, names a network card of one machine. */
function withoutZone(address: ipaddr.IPv6): string {
  return address.toString().replace(/%.*$/, '');
}
