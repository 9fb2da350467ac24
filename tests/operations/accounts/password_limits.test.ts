import { expect, test } from 'vitest';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import { issueDeviceToken } from '#server/operations/accounts/device_token.ts';
import { changePassword, logIn } from '#server/operations/accounts/login.ts';
import { requestPasswordRecovery } from '#server/operations/accounts/password_recovery.ts';
import type { Context } from '#server/operations/context.ts';
import { createTokenKeys } from '#server/operations/token_keys.ts';
import { addArtist } from '#support/database_rows.ts';
import { PASSWORD, PASSWORD_HASH } from '#support/new_artist.ts';
import { recordLog } from '#support/recorded_log.ts';
import { openTestContext } from '#support/test_context.ts';

const WRONG = 'wrong_login';
const REFUSED = 'too_many_wrong_logins';

/** A server with limits. Each test has networks of its own. */
async function setUp(changes: Partial<Context> = {}) {
  const { context, jobs } = await openTestContext({ hasLimitsPerTime: true, ...changes });
  const artist = await addArtist(context.database, { password_hash: PASSWORD_HASH });
  const block = crypto.randomUUID();
  /** A number as `network` tells the networks of the test apart. */
  const logInFrom = (
    password: string,
    { email = artist.email, network = 0, device }: Caller = {},
  ) => {
    const from = {
      network: typeof network === 'string' ? network : `${block} ${network}`,
      deviceToken: device,
      userAgent: undefined,
      timeZone: undefined,
    };
    return logIn(context, { username: email, password }, from);
  };
  /** @returns the reason of the refusal; `ok` if there is none */
  const attempt = (password: string, caller: Caller = {}) => reasonOf(logInFrom(password, caller));
  return { context, jobs, artist, logInFrom, attempt };
}

test('a failed login is logged with its account and network, both hashed, and a right one is not', async () => {
  const logged: string[] = [];
  const { attempt, artist } = await setUp({ log: recordLog(logged) });
  expect(await attempt(PASSWORD)).toBe('ok');
  expect(logged).toEqual([]);
  expect(await attempt('guess')).toBe('wrong_login');
  expect(await attempt('guess', { network: 1 })).toBe('wrong_login');
  expect(logged).toHaveLength(2);
  const account = hashMailbox(artist.email);
  for (const line of logged) expect(line).toContain(account);
  expect(logged[0]).not.toBe(logged[1]);
  expect(logged.join()).not.toMatch(/@|guess/);
});

test('networks of one /48 of IPv6 share the limit of one network, and leave the owner a login and a recovery mail', async () => {
  const { context, jobs, artist, attempt } = await setUp();
  const recover = (network: string) =>
    requestPasswordRecovery(context, artist.email, { network, deviceToken: undefined });
  const reasons = [];
  for (let n = 0; n < 10; n += 1) {
    const network = `2001:db8:1:${1 + (n % 4)}00::/56`;
    reasons.push(await attempt('guess', { network }));
    await recover(network);
  }
  expect(reasons).toEqual([...Array(5).fill(WRONG), ...Array(5).fill(REFUSED)]);
  expect(jobs).toHaveLength(3);
  expect(await attempt(PASSWORD, { network: 'the owner' })).toBe('ok');
  await recover('the owner');
  expect(jobs).toHaveLength(4);
});

interface Caller {
  readonly email?: string;
  readonly network?: number | string;
  readonly device?: string;
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'ok',
    (error: unknown) =>
      error instanceof Error && 'reason' in error ? String(error.reason) : String(error),
  );
}

test('ten passwords an hour can be tried on one account, from many networks at once', async () => {
  const { artist, attempt } = await setUp();
  const reasons = await Promise.all(
    Array.from({ length: 40 }, (_, network) => attempt('guess', { network })),
  );
  expect(reasons.filter((reason) => reason === WRONG).length).toBeLessThanOrEqual(10);
  for (let n = 0; n < 20; n += 1)
    reasons.push(await attempt('guess', { network: 100 + n, email: artist.email.toUpperCase() }));
  expect(reasons.filter((reason) => reason === WRONG)).toHaveLength(10);
  expect(reasons.filter((reason) => reason === REFUSED)).toHaveLength(50);
  // The right password is refused too: else the limit would not stop guessing.
  expect(await attempt(PASSWORD, { network: 200 })).toBe(REFUSED);
});

test('an email without an account has the same limits', async () => {
  const { attempt } = await setUp();
  const email = `${crypto.randomUUID()}@example.com`;
  const reasons = [];
  for (let network = 0; network < 12; network += 1)
    reasons.push(await attempt('guess', { network, email }));
  expect(reasons).toEqual([...Array(10).fill(WRONG), REFUSED, REFUSED]);
});

test('one network can try five passwords an hour on an account, and shuts no other network out', async () => {
  const { attempt } = await setUp();
  const reasons = [];
  for (let n = 0; n < 30; n += 1) reasons.push(await attempt('guess', { network: 1 }));
  expect(reasons).toEqual([...Array(5).fill(WRONG), ...Array(25).fill(REFUSED)]);
  expect(await attempt(PASSWORD, { network: 2 })).toBe('ok');
});

test('right passwords do not count, also many of them at once', async () => {
  const { attempt } = await setUp();
  for (let n = 0; n < 12; n += 1) expect(await attempt(PASSWORD)).toBe('ok');
  await Promise.all(Array.from({ length: 20 }, () => attempt(PASSWORD)));
  for (let n = 0; n < 4; n += 1) expect(await attempt('guess')).toBe(WRONG);
  expect(await attempt(PASSWORD)).toBe('ok');
});

test('a browser that has logged in before is let through during an attack, within its own limit', async () => {
  const { attempt, logInFrom } = await setUp();
  const { deviceToken: device } = await logInFrom(PASSWORD, { network: 99 });
  for (let network = 0; network < 12; network += 1) await attempt('guess', { network });
  expect(await attempt(PASSWORD)).toBe(REFUSED);
  expect(await attempt(PASSWORD, { device })).toBe('ok');
  for (let n = 0; n < 29; n += 1) expect(await attempt('typo', { device })).toBe(WRONG);
  // Logging in again gives a new token, and not a new limit.
  const again = await logInFrom(PASSWORD, { device });
  expect(await attempt('typo', { device: again.deviceToken })).toBe(WRONG);
  expect(await attempt(PASSWORD, { device: again.deviceToken })).toBe(REFUSED);
});

test('a device token of another account, a forged one and an access token do not help', async () => {
  const { context, artist, attempt, logInFrom } = await setUp();
  const stranger = await addArtist(context.database, { password_hash: PASSWORD_HASH });
  for (let network = 0; network < 10; network += 1) await attempt('guess', { network });
  const foreign = await logInFrom(PASSWORD, { email: stranger.email, network: 99 });
  const forged = {
    tokenKeys: createTokenKeys(new TextEncoder().encode('another secret than ours')),
  };
  const tokens = [
    foreign.deviceToken,
    foreign.accessToken,
    await issueDeviceToken(forged, artist.id, { hasLoggedIn: true }),
    'no token',
    '',
  ];
  for (const device of tokens) expect(await attempt(PASSWORD, { device })).toBe(REFUSED);
});

test('one network can try a hundred passwords an hour over all accounts', async () => {
  const { attempt } = await setUp();
  const block = crypto.randomUUID();
  const spray = (n: number, network: number) =>
    attempt('guess', { email: `${block}-${n}@example.com`, network });
  const reasons = await Promise.all(Array.from({ length: 100 }, (_, n) => spray(n, 1)));
  expect(new Set(reasons)).toEqual(new Set([WRONG]));
  expect(await spray(100, 1)).toBe('too_many_wrong_logins_of_network');
  expect(await spray(100, 2)).toBe(WRONG);
});

test('ten wrong current passwords an hour are checked, then the right one is refused too', async () => {
  const { context, artist } = await setUp();
  const change = (current_password: string) =>
    reasonOf(
      changePassword(
        context,
        { id: artist.id, sessionId: artist.id },
        { current_password, new_password: PASSWORD },
      ),
    );
  const reasons = [];
  for (let n = 0; n < 12; n += 1) reasons.push(await change('guess'));
  const refused = 'too_many_wrong_passwords';
  expect(reasons).toEqual([...Array(10).fill('wrong_password'), refused, refused]);
  expect(await change(PASSWORD)).toBe(refused);
});
