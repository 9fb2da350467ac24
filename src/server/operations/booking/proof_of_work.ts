/** A proof of work makes many requests expensive for a program and costs a person no attention. */
import { createHmac } from 'node:crypto';
import { createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { SolvedChallenge } from '#contract/proof_of_work.ts';
import { ProofOfWorkRequired } from '#domain/refusal.ts';
import { HOUR_SECONDS, type Instant } from '#domain/time/time.ts';
import type { Context } from '../context.ts';
import { isWithinLimits } from '../limits.ts';
import type { TokenKeys } from '../token_keys.ts';

/**
 * The rounds of hashing for each key that the browser tries. Few keys with many rounds, because each key
 * costs the page's main thread some time beside the hashing, which runs outside of it.
 */
const ROUNDS_PER_KEY = 20_000;
/** How many keys the browser tries: a random number from `min` to `max`. */
export const KEYS = { min: 15, max: 30 };
/** Long enough for a slow phone that is offline for a while. */
const LIFETIME_SECONDS = HOUR_SECONDS;

/** Creates a task for requests to this artist. */
export async function createProofOfWorkTask(
  { tokenKeys }: Context,
  artistId: string,
  now: Instant,
): Promise<ProofOfWorkRequired> {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: ROUNDS_PER_KEY,
    counter: randomInt(KEYS.min, KEYS.max),
    deriveKey,
    expiresAt: Math.floor(now / 1000) + LIFETIME_SECONDS,
    data: { artist: artistId },
    ...secretsOf(tokenKeys.signing),
  });
  return new ProofOfWorkRequired(challenge);
}

/**
 * Checks the header of a request, and marks its solution as used: a program must not send many requests
 * with one.
 * @returns false for a missing, malformed, wrong, expired or used solution
 */
export async function consumeProofOfWork(
  context: Context,
  artistId: string,
  header: string | undefined,
): Promise<boolean> {
  const solved = parseSolvedChallenge(header);
  if (solved?.challenge.parameters.data.artist !== artistId) return false;
  if (!(await isSolved(context.tokenKeys, solved))) return false;
  return isWithinLimits(context, ['proof_of_work'], { task: solved.challenge.signature });
}

async function isSolved(
  { verifying }: TokenKeys,
  { challenge, solution }: SolvedChallenge,
): Promise<boolean> {
  for (const key of verifying)
    if ((await verifySolution({ challenge, solution, deriveKey, ...secretsOf(key) })).verified)
      return true;
  return false;
}

function parseSolvedChallenge(header: string | undefined): SolvedChallenge | undefined {
  if (header === undefined) return undefined;
  try {
    return SolvedChallenge.parse(JSON.parse(header));
  } catch {
    return undefined;
  }
}

/** ALTCHA takes secrets as text. Each is derived for its purpose from one key. */
function secretsOf(key: Uint8Array) {
  const derive = (purpose: string) => createHmac('sha256', key).update(purpose).digest('base64url');
  return {
    hmacSignatureSecret: derive('proof of work: challenge'),
    hmacKeySignatureSecret: derive('proof of work: key'),
  };
}
