import type { OwnerProof } from '#contract/owner_proof.ts';
import { InvalidInput, refuse } from '#domain/refusal.ts';
import type { Instant } from '#domain/time/time.ts';
import type { Context } from '../context.ts';
import { limitFailures } from '../limits.ts';
import { requireCurrentPassword } from './login.ts';
import { verifyPasskey } from './passkeys.ts';
import type { TokenOwner } from './sessions.ts';

/**
 * Lets a call that cannot be undone go on only for the owner of the token, not for its thief.
 * @throws InvalidInput without a proof; Refusal `wrong_password`, `passkey_not_valid`
 * @throws RateLimited after too many wrong passwords or passkeys
 */
export async function requireOwnerProof(
  context: Context,
  owner: Pick<TokenOwner, 'id' | 'sessionId'>,
  { current_password, passkey }: OwnerProof,
  now: Instant,
): Promise<void> {
  if (passkey)
    await limitFailures(context, ['wrong_passwords'], { session: owner.sessionId }, async () => {
      const { id } = await verifyPasskey(context, passkey, now);
      if (id !== owner.id) throw refuse('passkey_not_valid');
    });
  else if (current_password !== undefined)
    await requireCurrentPassword(context, owner, current_password);
  else throw new InvalidInput(['body', 'current_password'], 'Password is required', 'missing');
}
