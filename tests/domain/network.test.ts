import { expect, test } from 'vitest';
import { isWithinNetwork, widerNetwork } from '#domain/network.ts';

test('a network of IPv6 is a part of one /48; one of IPv4, or another text, of none', () => {
  expect(
    [
      '2001:db8:1:200::/56',
      '2001:db8::/56',
      '2001:db8:0:ff00::/56',
      '203.0.113.0/24',
      'unknown',
    ].map(widerNetwork),
  ).toEqual(['2001:db8:1::/48', '2001:db8:0::/48', '2001:db8:0::/48', null, null]);
  expect(isWithinNetwork('2001:db8:1:200::/56', '2001:db8:1::/48')).toBe(true);
  expect(isWithinNetwork('2001:db8:2:200::/56', '2001:db8:1::/48')).toBe(false);
});
