import { expect, test } from 'vitest';
import { isWithinNetwork, widerNetwork } from '#domain/requests/network.ts';

test.each([
  ['2001:db8:1:200::/56', '2001:db8:1::/48'],
  ['2001:db8::/56', '2001:db8:0::/48'],
  ['2001:db8:0:ff00::/56', '2001:db8:0::/48'],
  ['203.0.113.0/24', null],
  ['unknown', null],
])('the network %s is a part of %s', (network, wider) => {
  expect(widerNetwork(network)).toBe(wider);
});

test('a /56 is within its own /48 only', () => {
  expect(isWithinNetwork('2001:db8:1:200::/56', '2001:db8:1::/48')).toBe(true);
  expect(isWithinNetwork('2001:db8:2:200::/56', '2001:db8:1::/48')).toBe(false);
});
