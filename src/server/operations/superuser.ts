import { DEFAULT_BOOKING_RANGE } from '#domain/booking_range.ts';
import { DEFAULT_SCHEDULE } from '#domain/schedule.ts';
import { withLock } from '#server/database/advisory_lock.ts';
import { findCredentials, hasSuperuser, insertArtist } from '#server/database/artists.ts';
import type { Context } from './context.ts';
import { hashPassword } from './password.ts';

/** Makes the first superuser if there is none yet; an account that has the email stays as it is. */
export async function ensureSuperuser(
  { database }: Pick<Context, 'database'>,
  { email, password }: { email: string; password: string },
): Promise<void> {
  if (await hasSuperuser(database)) return;
  const password_hash = await hashPassword(password);
  await withLock(database, 'superuser', async (transaction) => {
    if (await hasSuperuser(transaction)) return;
    if (await findCredentials(transaction, email)) return;
    await insertArtist(
      transaction,
      // Not an artist: a name that nobody can sign up with, and a studio that nobody visits.
      { email, username: '_superuser', full_name: 'Superuser', password_hash, is_superuser: true },
      { name: '', address_one: '', city: '', state: '', zip_code: '', time_zone: 'UTC' },
      DEFAULT_SCHEDULE,
      DEFAULT_BOOKING_RANGE,
    );
  });
}
