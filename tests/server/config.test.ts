import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';

test('WORKERS is 1 by default, a number, or auto for one on each core', () => {
  const workers = (WORKERS?: string) => readConfig({ WORKERS }).workers;
  expect([workers(), workers('3'), workers('auto')]).toEqual([1, 3, availableParallelism()]);
});

test.each(['0', '-1', '1.5', '257', 'all'])('WORKERS=%s is refused with its rule', (WORKERS) => {
  expect(() => readConfig({ WORKERS })).toThrow(
    'WORKERS must be a whole number from 1 to 256, or auto',
  );
});

test('TRUSTED_PROXIES is a list of addresses, networks and CDNs; by default private networks', () => {
  const count = (TRUSTED_PROXIES?: string) => readConfig({ TRUSTED_PROXIES }).trustedProxies.length;
  expect([count(), count('10.0.0.1, 10.1.0.0/16'), count('cloudflare')]).toEqual([6, 2, 22]);
});

test('a wrong TRUSTED_PROXIES is refused with its rule', () => {
  expect(() => readConfig({ TRUSTED_PROXIES: '10.0.0.1, akamai' })).toThrow(
    'TRUSTED_PROXIES must be IP addresses, networks such as 10.0.0.0/8, cloudflare or fastly',
  );
});

test('0 keeps data for ever; another time than a whole number is refused with its rule', () => {
  const { retention } = readConfig({ RETAIN_MESSAGES_MONTHS: '0', RETAIN_MAILS_DAYS: '30' });
  expect(retention).toEqual({
    ...{ appointmentDetailsMonths: 24, messagesMonths: 0, mailsDays: 30, paymentEventsMonths: 24 },
  });
  for (const value of ['-1', '1.5', 'never'])
    expect(() => readConfig({ RETAIN_MAILS_DAYS: value })).toThrow(
      'RETAIN_MAILS_DAYS must be a whole number; 0 keeps the data for ever',
    );
});
