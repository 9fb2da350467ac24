import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { Challenge } from '#contract/proof_of_work.ts';
import { KEYS } from '#server/operations/booking/proof_of_work.ts';

/**
 * Solves the `challenge` of an answer. A browser tries all keys; this begins at the first possible one.
 * @returns the header `Proof-Of-Work`
 */
export async function solve(answer: unknown): Promise<{ 'Proof-Of-Work': string }> {
  const challenge = Challenge.parse(Object(answer).challenge);
  const solution = await solveChallenge({ challenge, deriveKey, counterStart: KEYS.min });
  if (!solution) throw new Error('The challenge has no solution');
  return { 'Proof-Of-Work': JSON.stringify({ challenge, solution }) };
}
