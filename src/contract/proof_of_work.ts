import * as z from 'zod/mini';

/** The task of a proof of work, in ALTCHA's form. */
export const Challenge = z.object({
  parameters: z.object({
    algorithm: z.string().check(z.maxLength(40)),
    nonce: z.string().check(z.maxLength(200)),
    salt: z.string().check(z.maxLength(200)),
    cost: z.int(),
    keyLength: z.int(),
    keyPrefix: z.string().check(z.maxLength(200)),
    keySignature: z.string().check(z.maxLength(200)),
    expiresAt: z.number(),
    data: z.object({ artist: z.string().check(z.maxLength(40)) }),
  }),
  signature: z.string().check(z.maxLength(200)),
});
export type Challenge = z.output<typeof Challenge>;

/** A challenge with its solution. */
export const SolvedChallenge = z.object({
  challenge: Challenge,
  solution: z.object({ counter: z.int(), derivedKey: z.string().check(z.maxLength(200)) }),
});
export type SolvedChallenge = z.output<typeof SolvedChallenge>;

/** The header `Proof-Of-Work` holds a `SolvedChallenge` as JSON. */
export const PROOF_OF_WORK_HEADER = 'proof-of-work';
