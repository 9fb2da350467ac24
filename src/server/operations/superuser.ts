import { NEW_BOOKING_RANGE } from '#domain/booking_range.ts';
import { NEW_SCHEDULE } from '#domain/schedule.ts';
import { findCredentials, insertArtist } from '#server/database/artists.ts';
import type { Parts } from './parts.ts';
import { hashPassword } from './password.ts';

/** Makes the first superuser if nobody has the email yet; an existing account stays as it is. */
export async function ensureSuperuser(
  { database }: Parts,
  { email, password }: { email: string; password: string },
): Promise<void> {
  if (await findCredentials(database, email)) return;
  const password_hash = await hashPassword(password);
  await database.transaction().execute((transaction) =>
    insertArtist(
      transaction,
      // Not an artist: under a name that no route shows, with a studio that nobody visits.
      { email, username: '_superuser', full_name: 'Superuser', password_hash, is_superuser: true },
      { name: '', address_one: '', city: '', state: '', zip_code: '', time_zone: 'UTC' },
      NEW_SCHEDULE,
      NEW_BOOKING_RANGE,
    ),
  );
}
