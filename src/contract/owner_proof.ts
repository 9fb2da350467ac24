/** The proof that calls require if they cannot be undone: an access token alone may be stolen. */
import * as z from 'zod/mini';
import { namedInput, requiredSecret } from './common.ts';
import { PasskeyLogin } from './passkey.ts';

export const ownerProofFields = {
  current_password: z
    .optional(requiredSecret('Password is required'))
    .check(z.describe('Of the artist or superuser who calls; or `passkey`')),
  passkey: z
    .optional(PasskeyLogin)
    .check(z.describe('Instead of the password, as the login with a passkey takes it')),
};

/** The caller's own password or passkey. Without either, the call is a 422. */
export const OwnerProof = namedInput('OwnerProof', ownerProofFields);
export type OwnerProof = z.output<typeof OwnerProof>;
