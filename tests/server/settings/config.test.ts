import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '#server/settings/config.ts';
import { openFolder } from '#support/folder.ts';

test('WORKERS is 1 by default, a number, or auto for one on each core', () => {
  const workers = (WORKERS?: string) => readConfig({ WORKERS }).workers;
  expect([workers(), workers('3'), workers('auto')]).toEqual([1, 3, availableParallelism()]);
});

test('TRUSTED_PROXIES is a list of addresses, networks and CDNs; by default private networks', () => {
  const count = (TRUSTED_PROXIES?: string) => readConfig({ TRUSTED_PROXIES }).trustedProxies.length;
  expect([count(), count('10.0.0.1, 10.1.0.0/16'), count('cloudflare')]).toEqual([6, 2, 22]);
});

test('0 keeps data for ever', () => {
  const { retention } = readConfig({ RETAIN_MESSAGES_MONTHS: '0', RETAIN_MAILS_DAYS: '30' });
  expect(retention).toEqual({
    ...{ appointmentDetailsMonths: 24, messagesMonths: 0, mailsDays: 30, paymentEventsMonths: 24 },
  });
});

test('the secret of a file counts without the line breaks at its end', async () => {
  const path = join(await openFolder(), 'key');
  await writeFile(path, 'a key of a file \r\n\n');
  expect(readConfig({ SECRET_KEY_FILE: path }).secretKey).toBe('a key of a file ');
});

test('SITE_URL is an origin: without a slash at its end, and in small letters', () => {
  expect(readConfig({ SITE_URL: 'https://Linework.Example/' }).siteUrl).toBe(
    'https://linework.example',
  );
});

test('metrics are off by default, and served on the loopback address unless METRICS_HOST is set', () => {
  expect(readConfig({}).metrics).toBeUndefined();
  expect(readConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 });
  const env = { METRICS_PORT: '9464', METRICS_HOST: '10.0.0.5' };
  expect(readConfig(env).metrics).toEqual({ host: '10.0.0.5', port: 9464 });
});

test('METRICS_PORT is refused if it is PORT, or no port; METRICS_HOST without it is refused too', () => {
  const refused = 'METRICS_PORT must be another port than PORT';
  expect(() => readConfig({ PORT: '9464', METRICS_PORT: '9464' })).toThrow(refused);
  expect(() => readConfig({ METRICS_PORT: '4321' })).toThrow(refused);
  expect(readConfig({ PORT: '0', METRICS_PORT: '0' }).metrics).toMatchObject({ port: 0 });
  expect(() => readConfig({ METRICS_PORT: 'on' })).toThrow(
    'METRICS_PORT must be a whole number from 0 to 65535',
  );
  expect(() => readConfig({ METRICS_HOST: '::' })).toThrow('METRICS_PORT must be set');
});

test.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ DEMO: '0' }, false],
  [{ HOST: '0.0.0.0' }, false],
  [{ HOST: '0.0.0.0', DEMO: '1' }, true],
  [{ DATABASE_URL: 'postgres://127.0.0.1/linework', SECRET_KEY: 'a key of a database' }, false],
])('the settings %j create the demo artists in an empty database: %s', (settings, demo) => {
  expect(readConfig(settings).demo).toBe(demo);
});
