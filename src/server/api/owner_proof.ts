/** Descriptions of calls with an `ownerProof` in the API document. */

/** Ends a description. */
export const OWNER_PROOF_TEXT =
  'it takes the `current_password` of the caller, or a `passkey`, in the body.';

export const PROOF_EXAMPLE = { current_password: 'correct horse' };

export const OWNER_PROOF_REFUSALS = [
  'wrong_password',
  'passkey_not_valid',
  'too_many_wrong_passwords',
] as const;
