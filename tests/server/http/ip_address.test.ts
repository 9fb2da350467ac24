import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { VISITOR_HEADER } from '#domain/requests/visitor_header.ts';
import {
  getClientIp,
  LOCAL_PROXIES,
  parseTrustedProxies,
  toNetwork,
} from '#server/http/ip_address.ts';
import { signVisitorAddress } from '../../../src/visitor_address.ts';

/** The client's address of a request from `peer` with this `X-Forwarded-For`. */
function clientIp(peer: string | undefined, forwardedFor?: string, proxies = LOCAL_PROXIES) {
  const request = new IncomingMessage(new Socket());
  Object.defineProperty(request.socket, 'remoteAddress', { value: peer });
  if (forwardedFor !== undefined) request.headers['x-forwarded-for'] = forwardedFor;
  return getClientIp(request, proxies);
}

describe('the client of a request', () => {
  test('is the visitor whose address a site on another host has signed with the key of this API', async () => {
    const key = 'a key of sixteen or more characters';
    const onUnsigned = vi.fn<() => void>();
    const find = (value: string, visitorKey?: string) =>
      getClientIp(
        Object.assign(new IncomingMessage(new Socket()), {
          headers: { [VISITOR_HEADER.toLowerCase()]: value },
        }),
        LOCAL_PROXIES,
        visitorKey,
        onUnsigned,
      );
    const signed = await signVisitorAddress('192.0.2.1', key);
    expect(find(signed, key)).toBe('192.0.2.1');
    expect(find(await signVisitorAddress('192.0.2.1:5678', key), key)).toBe('192.0.2.1');
    expect(onUnsigned).not.toHaveBeenCalled();
    expect(find(signed.replace('192.0.2.1', '192.0.2.2'), key)).toBe('unknown');
    expect(find(signed, `${key}.`)).toBe('unknown');
    expect(find(signed)).toBe('unknown');
    expect(find('192.0.2.1', key)).toBe('unknown');
    expect(find(await signVisitorAddress('nobody', key), key)).toBe('unknown');
    expect(onUnsigned).toHaveBeenCalledTimes(5);
  });

  test('is the peer without X-Forwarded-For, or if the peer is not a trusted proxy', () => {
    expect(clientIp('203.0.113.7')).toBe('203.0.113.7');
    expect(clientIp('203.0.113.7', '192.0.2.1')).toBe('203.0.113.7');
    expect(clientIp('127.0.0.1')).toBe('127.0.0.1');
    expect(clientIp(undefined, '192.0.2.1')).toBe('unknown');
  });

  test('is named by the proxy in a private network', () => {
    const peers = '127.0.0.1 10.1.2.3 172.31.0.1 192.168.1.1 ::1 fd00::1 ::ffff:10.1.2.3'.split(
      ' ',
    );
    for (const peer of peers) expect(clientIp(peer, '192.0.2.1'), peer).toBe('192.0.2.1');
  });

  test.each([
    ['the last address, as those before it may be forged', '1.1.1.1, 192.0.2.1', '192.0.2.1'],
    ['the last that is no trusted proxy', '1.1.1.1, 192.0.2.1, 10.0.0.9, 10.0.0.8', '192.0.2.1'],
    ['the first, if all are trusted', '10.0.0.9, 10.0.0.8', '10.0.0.9'],
    ['an address without its port', '192.0.2.1:5678, 10.0.0.8:80', '192.0.2.1'],
    ['an IPv6 address without brackets and port', '[2001:db8::1]:443', '2001:db8::1'],
    ['an IPv6 address', '2001:db8::1', '2001:db8::1'],
    ['an IPv4 address in IPv6 notation', '::ffff:192.0.2.1', '192.0.2.1'],
    ['the last address after a text that is none', '192.0.2.1, unknown, 10.0.0.8', '10.0.0.8'],
    ['the proxy, if nothing is an address', 'unknown', '127.0.0.1'],
    ['the proxy, if the header is empty', '', '127.0.0.1'],
    ['never a shortened address', '192.0.2.1, 127.1', '127.0.0.1'],
  ])('is %s', (_, forwardedFor, expected) => {
    expect(clientIp('127.0.0.1', forwardedFor)).toBe(expected);
  });

  test('is found behind a CDN and our own proxy, if both are trusted', () => {
    const proxies = parseTrustedProxies('cloudflare, 10.0.0.0/8');
    expect(clientIp('10.0.0.8', '1.1.1.1, 192.0.2.1, 172.68.1.1', proxies)).toBe('192.0.2.1');
    expect(clientIp('172.68.1.1', '192.0.2.1', proxies)).toBe('192.0.2.1');
    expect(clientIp('2606:4700::1', '192.0.2.1', proxies)).toBe('192.0.2.1');
    // Not from this list: private networks are trusted only by default.
    expect(clientIp('127.0.0.1', '192.0.2.1', proxies)).toBe('127.0.0.1');
    expect(clientIp('151.101.1.1', '192.0.2.1', proxies)).toBe('151.101.1.1');
    expect(clientIp('151.101.1.1', '192.0.2.1', parseTrustedProxies('fastly'))).toBe('192.0.2.1');
  });
});

describe('trusted proxies', () => {
  test('are addresses and networks of both versions', () => {
    const proxies = parseTrustedProxies('198.51.100.7, 2001:db8:1::/48,::ffff:203.0.113.0/120');
    for (const peer of ['198.51.100.7', '2001:db8:1:2::3', '203.0.113.9', '::ffff:198.51.100.7'])
      expect([peer, clientIp(peer, '192.0.2.1', proxies)]).toEqual([peer, '192.0.2.1']);
    for (const peer of ['198.51.100.8', '2001:db8:2::3', '203.0.114.9'])
      expect(clientIp(peer, '192.0.2.1', proxies)).toBe(peer);
  });

  test.each([
    'akamai',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '2001:db8::/129',
    '10.0.0',
    '10.0.0.1,,10.0.0.2',
  ])('cannot be %s', (list) => {
    expect(() => parseTrustedProxies(list)).toThrow(/no (IP address or )?network/);
  });
});

describe('the network of an address', () => {
  test.each([
    ['203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['::ffff:cb00:7107', '203.0.113.0/24'],
    ['2001:db8:0:1ff:1:2:3:4', '2001:db8:0:100::/56'],
    ['2001:db8::1', '2001:db8::/56'],
    ['2001:db8:1:2::', '2001:db8:1::/56'],
    ['2001:db8:1:ab02::7', '2001:db8:1:ab00::/56'],
    ['::1', '::/56'],
    ['::2:3:4:5:6:7', '0:0:2::/56'],
    ['fe80::1%eth0', 'fe80::/56'],
    ['unknown', 'unknown'],
    ['', ''],
  ])('%s is %s', (address, network) => {
    expect(toNetwork(address)).toBe(network);
  });
});
