import { expect, test } from 'vitest';
import { countedEvents, EVENT_LIMITS, firstExceeded } from '#domain/requests/limits.ts';
import { MINUTE_MS } from '#domain/time/time.ts';

test('the first rule that is exceeded decides; as many as it allows pass', () => {
  const rules = [
    { counted: 'requests', most: 3 },
    { counted: 'share', most: 0.19 },
    { counted: 'requests', most: 2 },
  ] as const;
  const judge = (requests: number, share: number) => firstExceeded(rules, { requests, share });
  expect(judge(2, 0.19)).toBe(undefined);
  expect(judge(3, 0.19)).toBe(rules[2]);
  expect(judge(3, 0.2)).toBe(rules[1]);
  expect(judge(4, 0.2)).toBe(rules[0]);
});

test.each([
  ['calls_login', 'network: 20 in 1'],
  ['calls_recovery', 'network: 20 in 1'],
  ['calls_signup', 'network: 20 in 1'],
  ['calls_signup_check', 'network: 120 in 1'],
  ['calls_request', 'network: 300 in 1'],
  ['calls_contact', 'network: 20 in 1'],
  ['calls_upload', 'network: 120 in 1'],
  ['calls_mail', 'network: 20 in 1'],
  ['wrong_logins_network', 'network: 100 in 60'],
  ['wrong_logins_account_network', 'account widestNetwork: 5 in 60'],
  ['wrong_logins_account', 'account: 10 in 60'],
  ['wrong_logins_device', 'device: 30 in 60'],
  ['wrong_passwords', 'session: 10 in 60'],
  ['recovery_network', 'network: 20 in 60'],
  ['recovery_mails_network', 'account widestNetwork: 3 in 60'],
  ['recovery_mails', 'account: 10 in 60'],
  ['recovery_mails_device', 'device: 3 in 60'],
  ['links_network', 'network: 20 in 60'],
  ['links_mails', 'artist account: 2 in 1440'],
  ['contact_network', 'artist widestNetwork: 30 in 60'],
  ['contact_mails', 'artist: 60 in 60'],
  ['proof_of_work', 'task: 1 in 60'],
  ['requests_of_network', 'network: 60 in 60'],
  ['late_confirmations', 'network: 60 in 60'],
  ['client_moves', 'appointment: 20 in 1440'],
  ['client_emails', 'asker: 10 in 1440'],
  ['exports', 'artist: 5 in 1440'],
  ['prove_email', 'artist: 5 in 60'],
] as const)('the limit %s allows by %s minutes', (name, allowed) => {
  const { by, most, periodMs } = EVENT_LIMITS[name];
  expect(`${by.join(' ')}: ${most} in ${periodMs / MINUTE_MS}`).toBe(allowed);
});

test('a limit of a network allows the /48 of IPv6 around it four times the events; others count alone', () => {
  const causersOf = (network: string) =>
    countedEvents(['links_network', 'recovery_mails'], { network, account: 'rosa' }).map(
      ({ counted, causer, most }) => [counted, causer, most],
    );
  const ofAccount = ['recovery_mails', 'rosa', 10];
  expect(causersOf('203.0.113.0/24')).toEqual([['links_network', '203.0.113.0/24', 20], ofAccount]);
  expect(causersOf('2001:db8:1:100::/56')).toEqual([
    ['links_network', '2001:db8:1:100::/56', 20],
    ['links_network_of_48', '2001:db8:1::/48', 80],
    ofAccount,
  ]);
});
