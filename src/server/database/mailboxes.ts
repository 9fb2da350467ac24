import { type SqlBool, sql } from 'kysely';
import { toMailbox } from '#domain/mailbox.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { endMailWaits } from './mail_waits.ts';

/**
 * Stores that the owner of an email used a link that only a mail carries. Mails that wait because
 * strangers used up the mailbox's budget become due.
 */
export async function markMailboxProven(
  database: Database,
  email: string,
  now: Instant,
): Promise<void> {
  const mailbox = toMailbox(email);
  await database
    .insertInto('mailboxes')
    .values({ mailbox })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await endMailWaits(database, { mailbox }, now);
}

/** Whether the owner of an email has used a mailed link, as a client or as an artist. */
export async function isMailboxProven(database: Database, email: string): Promise<boolean> {
  const { rows } = await sql<{ proven: SqlBool }>`
    SELECT EXISTS (SELECT FROM mailboxes WHERE mailbox = ${toMailbox(email)})
      OR EXISTS (
        SELECT FROM artists WHERE lower(email) = ${email.toLowerCase()} AND email_proven_at IS NOT NULL
      ) AS proven
  `.execute(database);
  return Boolean(rows[0]?.proven);
}
