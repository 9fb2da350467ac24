import { sql } from 'kysely';
import { toMailbox } from '#domain/mail/mailbox.ts';
import type { Instant } from '#domain/time/time.ts';
import type { Database } from './connect.ts';
import { hashMailbox } from './hashed_keys.ts';
import { endMailWaits } from './mail_waits.ts';

/**
 * Stores that the owner of an email used a mailed link of an artist. Mails that wait because
 * strangers used up the mailbox's budget become due.
 * @param artistId the artist of the link; for a link to an artist's own email, this artist
 */
export async function markMailboxProven(
  database: Database,
  email: string,
  artistId: string,
  now: Instant,
): Promise<void> {
  const mailbox = hashMailbox(email);
  await database
    .insertInto('mailboxes')
    .values({ mailbox, artist_id: artistId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await endMailWaits(database, { mailbox }, now);
}

/**
 * Selects the trust in the owner of an email: whether they have used a mailed link, of any artist and of
 * this one, and whether an account has the email, and has not proven it.
 */
export function mailboxTrust(email: string, artistId: string | null) {
  const mailbox = hashMailbox(email);
  return [
    sql<boolean>`EXISTS (SELECT FROM mailboxes WHERE mailbox = ${mailbox})
      OR EXISTS (
        SELECT FROM artists WHERE lower(email) = ${email.toLowerCase()} AND email_proven_at IS NOT NULL
      )`.as('isMailboxProven'),
    sql<boolean>`EXISTS (
      SELECT FROM mailboxes WHERE mailbox = ${mailbox} AND artist_id = ${artistId}
    )`.as('isKnownToArtist'),
    sql<boolean>`EXISTS (
      SELECT FROM artists WHERE mailbox = ${toMailbox(email)} AND email_proven_at IS NULL
    )`.as('isOfUnprovenAccount'),
  ] as const;
}

/** Loads the trust in the owner of an email (`mailboxTrust`). */
export function loadMailboxTrust(database: Database, email: string, artistId: string | null) {
  return database.selectNoFrom(mailboxTrust(email, artistId)).executeTakeFirstOrThrow();
}
