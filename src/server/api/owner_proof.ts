/** Calls that need a proof that the caller is the owner of the token: what the API document says about them. */
import type { OwnerProof } from '#contract/owner_proof.ts';

/** The end of the description of such a call. */
export const OWNER_PROOF_TEXT =
  'it takes the `current_password` of the caller, or a `passkey`, in the body.';

export const PROOF_EXAMPLE = { current_password: 'correct horse' };

export const OWNER_PROOF_REFUSALS = [
  'wrong_password',
  'passkey_not_valid',
  'too_many_wrong_passwords',
] as const;

/** The body of such a call for its operation: the proof was checked before. */
export function withoutProof<Body extends OwnerProof>(body: Body) {
  const { current_password: _password, passkey: _passkey, ...rest } = body;
  return rest;
}
