import { type RawBuilder, sql } from 'kysely';
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

/** An email with what it is compared by, as SQL. */
interface SqlRecipient {
  readonly email: RawBuilder<unknown>;
  /** `toMailbox` of the email, and its hash. */
  readonly mailbox: RawBuilder<unknown>;
  readonly mailboxHash: RawBuilder<unknown>;
  readonly artistId: RawBuilder<unknown>;
}

/**
 * Selects the trust in the owner of an email: whether they have used a mailed link, of any artist and of
 * this one, and whether an account has the email, and has not proven it.
 */
export function mailboxTrust({ email, mailbox, mailboxHash, artistId }: SqlRecipient) {
  return [
    sql<boolean>`EXISTS (SELECT FROM mailboxes WHERE mailbox = ${mailboxHash} OFFSET 0)
      OR EXISTS (
        SELECT FROM artists WHERE lower(email) = lower(${email}) AND email_proven_at IS NOT NULL OFFSET 0
      )`.as('isMailboxProven'),
    sql<boolean>`EXISTS (
      SELECT FROM mailboxes WHERE mailbox = ${mailboxHash} AND artist_id = ${artistId} OFFSET 0
    )`.as('isKnownToArtist'),
    sql<boolean>`EXISTS (
      SELECT FROM artists WHERE mailbox = ${mailbox} AND email_proven_at IS NULL OFFSET 0
    )`.as('isOfUnprovenAccount'),
  ] as const;
}

/** Loads the trust in the owner of an email (`mailboxTrust`). */
export function loadMailboxTrust(database: Database, email: string, artistId: string | null) {
  const trust = mailboxTrust({
    email: sql.val(email),
    mailbox: sql.val(toMailbox(email)),
    mailboxHash: sql.val(hashMailbox(email)),
    artistId: sql.val(artistId),
  });
  return database.selectNoFrom(trust).executeTakeFirstOrThrow();
}
