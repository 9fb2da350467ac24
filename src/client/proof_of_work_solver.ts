// Computes a proof of work with ALTCHA's solver. Loaded only when the API asks for a proof.
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { Challenge } from '#contract/proof_of_work.ts';
import { ApiError } from './call.ts';

const NOT_POSSIBLE_TEXT =
  'Very many requests are coming in right now, and this browser cannot do the check against spam. ' +
  'Please try again in an hour, or write to the artist.';

/** Solves a task of the API. @returns the header `Proof-Of-Work`. @throws ApiError when this browser cannot solve it */
export async function solveProofOfWork(task: unknown): Promise<string> {
  const { data: challenge } = Challenge.safeParse(task);
  // Browsers have `crypto.subtle` only on pages over HTTPS and on `localhost`.
  const solution =
    challenge && isSecureContext ? await solveChallenge({ challenge, deriveKey }) : null;
  if (!solution) throw new ApiError(429, '', NOT_POSSIBLE_TEXT);
  const { counter, derivedKey } = solution;
  return JSON.stringify({ challenge, solution: { counter, derivedKey } });
}
