import { takeLock } from '#server/database/advisory_lock.ts';
import { findCredentials, hasSuperuser, insertArtist } from '#server/database/artists.ts';
import { change } from './change.ts';
import type { Context } from './context.ts';
import { hashPassword } from './password.ts';

/** Creates the first superuser, unless one exists or an account already has the email. */
export async function ensureSuperuser(
  context: Pick<Context, 'database' | 'invalidate'>,
  { email, password }: { email: string; password: string },
): Promise<void> {
  if (await hasSuperuser(context.database)) return;
  const password_hash = await hashPassword(password);
  await change(context, { lock: 'none', invalidates: [] }, async (transaction, now) => {
    await takeLock(transaction, 'superuser');
    // Checked again: another server may have created a superuser before this server got the lock.
    if ((await hasSuperuser(transaction)) || (await findCredentials(transaction, email))) return;
    await insertArtist(
      transaction,
      // Artists cannot take this username: theirs cannot begin with an underscore.
      {
        email,
        username: '_superuser',
        full_name: 'Superuser',
        password_hash,
        is_superuser: true,
        email_proven_at: new Date(now),
      },
      // Every row of `artists` refers to a studio, so a superuser has an empty one.
      { name: '', address_one: '', city: '', state: '', zip_code: '', time_zone: 'UTC' },
    );
  });
}
