import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Challenge } from '#contract/proof_of_work.ts';
import {
  consumeProofOfWork,
  createProofOfWorkTask,
} from '#server/operations/booking/proof_of_work.ts';
import { openTestContext } from '#support/test_context.ts';

const ANA = 'b7f6a5a0-0000-4000-8000-000000000001';

async function setUp() {
  const { context } = await openTestContext({ hasLimitsPerTime: true });
  const task = await createProofOfWorkTask(context, ANA, Date.now());
  const challenge = Challenge.parse(task.challenge);
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('The challenge has no solution');
  const consume = (solved: object, artistId = ANA) =>
    consumeProofOfWork(context, artistId, JSON.stringify(solved));
  return { context, challenge, solution, consume };
}

test('a solution for one artist is none for another', async () => {
  const { challenge, solution, consume } = await setUp();
  expect(await consume({ challenge, solution }, ANA.replace('1', '2'))).toBe(false);
});

test('a wrong solution, an easier task and a missing header are refused', async () => {
  const { context, challenge, solution, consume } = await setUp();
  const wrong = { ...solution, derivedKey: '00'.repeat(32) };
  expect(await consume({ challenge, solution: wrong })).toBe(false);
  const easier = {
    ...challenge,
    parameters: { ...challenge.parameters, keyPrefix: '00', cost: 1 },
  };
  expect(await consume({ challenge: easier, solution })).toBe(false);
  expect(await consumeProofOfWork(context, ANA, undefined)).toBe(false);
  expect(await consumeProofOfWork(context, ANA, '{')).toBe(false);
});

test('a solution that comes after an hour is refused', async () => {
  const { challenge, solution, consume } = await setUp();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_601_000 });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  expect(await consume({ challenge, solution })).toBe(false);
});
