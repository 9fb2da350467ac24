import { expect, test } from 'vitest';
import type { LoginAnswer } from '#contract/login.ts';
import { openSandbox, type RunningServer } from '#support/sandbox.ts';
import { abuseMode } from './abuse_mode.ts';
import { ANA, addressOf, callFrom, countByStatus } from './caller.ts';
import { waitForRecoveryTokens } from './recovery_mails.ts';

const GUESSES_PER_ADDRESS = abuseMode === 'full' ? 15 : 3;
const OWNER = '203.0.113.7';
const NEW_PHONE = '203.0.114.7';
const NEW_PASSWORD = 'battery staple';

function logIn(server: RunningServer, address: string, password: string, deviceToken?: string) {
  return callFrom<LoginAnswer>(server, address, 'POST /login/access-token', {
    form: { username: ANA.email, password },
    headers: deviceToken === undefined ? {} : { 'Device-Token': deviceToken },
  });
}

test('guessing from forty addresses checks ten passwords, and never shuts the owner out', async () => {
  await using sandbox = await openSandbox();
  const server = await sandbox.serve({ env: { RATE_LIMIT: 'on' } });
  const known = (await logIn(server, OWNER, ANA.password)).body.device_token;
  const guesses = [];
  for (let round = 0; round < GUESSES_PER_ADDRESS; round += 1) {
    const answers = Array.from({ length: 40 }, (_, n) =>
      logIn(server, addressOf(n), `guess ${round} ${n}`),
    );
    guesses.push(...(await Promise.all(answers)));
    expect((await logIn(server, OWNER, ANA.password, known)).status).toBe(200);
  }
  // 400 is the answer to a wrong password; 429 answers without a check.
  const counts = countByStatus(guesses);
  expect(Object.keys(counts)).toEqual(['400', '429']);
  expect(counts['400']).toBeLessThanOrEqual(10);
  expect(await logIn(server, NEW_PHONE, ANA.password)).toMatchObject({ status: 429 });

  await callFrom(server, NEW_PHONE, `POST /password-recovery/${ANA.email}`);
  const [token] = await waitForRecoveryTokens(sandbox, 1);
  const reset = await callFrom<LoginAnswer>(server, NEW_PHONE, 'POST /reset-password', {
    json: { token, new_password: NEW_PASSWORD },
  });
  const login = await logIn(server, NEW_PHONE, NEW_PASSWORD, reset.body.device_token);
  expect(login.status).toBe(200);
  expect((await logIn(server, OWNER, NEW_PASSWORD, known)).status).toBe(200);
});
