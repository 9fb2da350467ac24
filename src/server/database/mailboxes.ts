import { sql } from 'kysely';
import { toMailbox } from '#domain/mailbox.ts';
import { requireFound } from '#domain/refusal.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { hashMailbox } from './hashed_keys.ts';
import { endMailWaits } from './mail_waits.ts';

/**
 * Stores that the owner of an email used a mailed link of an artist. Mails that wait because
 * strangers used up the mailbox's budget become due.
 * @param artistId of an artist's own email, their own id
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

/** What is known about the owner of an email. */
interface MailboxTrust {
  /** Whether they have used a mailed link, of any artist. */
  readonly isMailboxProven: boolean;
  /** Whether they have used a mailed link of this artist. */
  readonly isKnownToArtist: boolean;
  /** Whether an account has the email, and has not proven it. */
  readonly isOfUnprovenAccount: boolean;
}

/** Loads whether the owner of an email has used mailed links. */
export async function loadMailboxTrust(
  database: Database,
  email: string,
  artistId: string | null,
): Promise<MailboxTrust> {
  const mailbox = hashMailbox(email);
  const { rows } = await sql<MailboxTrust>`
    SELECT EXISTS (SELECT FROM mailboxes WHERE mailbox = ${mailbox})
      OR EXISTS (
        SELECT FROM artists WHERE lower(email) = ${email.toLowerCase()} AND email_proven_at IS NOT NULL
      ) AS "isMailboxProven",
      EXISTS (SELECT FROM mailboxes WHERE mailbox = ${mailbox} AND artist_id = ${artistId})
        AS "isKnownToArtist",
      EXISTS (SELECT FROM artists WHERE mailbox = ${toMailbox(email)} AND email_proven_at IS NULL)
        AS "isOfUnprovenAccount"
  `.execute(database);
  return requireFound(rows[0]);
}
