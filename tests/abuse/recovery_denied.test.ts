import { expect, test } from 'vitest';
import type { LoginAnswer } from '#contract/login.ts';
import { openSandbox, type RunningServer } from '#support/sandbox.ts';
import { ANA, addressOf, callFrom, countByStatus } from './caller.ts';
import { listRecoveryTokens, waitForRecoveryTokens } from './recovery_mails.ts';

const OWNER = '203.0.113.7';
const RECOVER = `POST /password-recovery/${ANA.email}`;
const MAX_MAILS = 10;
const ATTACK = 100;

function logIn(server: RunningServer, password: string) {
  const form = { username: ANA.email, password };
  return callFrom<LoginAnswer>(server, OWNER, 'POST /login/access-token', { form });
}

test('a stranger who asks for a hundred recovery mails cannot keep the owner from recovering', async () => {
  await using sandbox = await openSandbox();
  const server = await sandbox.serve({ env: { RATE_LIMIT: 'on' } });
  const headers = { 'Device-Token': (await logIn(server, ANA.password)).body.device_token };
  expect((await callFrom(server, OWNER, RECOVER)).status).toBe(200);
  const [first] = await waitForRecoveryTokens(sandbox, 1);

  const attack = await Promise.all(
    Array.from({ length: ATTACK }, (_, n) => callFrom(server, addressOf(n), RECOVER)),
  );
  expect(countByStatus(attack)).toEqual({ 200: ATTACK });
  expect(await waitForRecoveryTokens(sandbox, MAX_MAILS)).toHaveLength(MAX_MAILS);

  // The browser of the owner still gets a mail of its own.
  expect((await callFrom(server, OWNER, RECOVER, { headers })).status).toBe(200);
  expect(await waitForRecoveryTokens(sandbox, MAX_MAILS + 1)).toHaveLength(MAX_MAILS + 1);

  // The link of the first mail works after all that.
  const json = { token: first, new_password: 'battery staple' };
  expect((await callFrom(server, OWNER, 'POST /reset-password', { json })).status).toBe(200);
  expect((await logIn(server, 'battery staple')).status).toBe(200);
  expect(await listRecoveryTokens(sandbox)).toHaveLength(MAX_MAILS + 1);
});

test('a stranger in one network leaves mails for the owner in another', async () => {
  await using sandbox = await openSandbox();
  const server = await sandbox.serve({ env: { RATE_LIMIT: 'on' } });
  const attack = [];
  for (let n = 0; n < 40; n += 1) attack.push(await callFrom(server, addressOf(1), RECOVER));
  expect(countByStatus(attack)).toEqual({ 200: 20, 429: 20 });
  expect((await callFrom(server, OWNER, RECOVER)).status).toBe(200);
  expect(await waitForRecoveryTokens(sandbox, 4)).toHaveLength(4);
});
