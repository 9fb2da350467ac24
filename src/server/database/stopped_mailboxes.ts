import type { Database } from './connect.ts';

/** Whether a mailbox gets no mail of an artist, or of any artist. */
export async function findStoppedScope(
  database: Database,
  mailboxHash: string,
  artistId: string | null,
): Promise<'everyone' | 'artist' | null> {
  const rows = await database
    .selectFrom('stopped_mailboxes')
    .select('artist_id')
    .where('mailbox_hash', '=', mailboxHash)
    .where(({ or, eb }) => or([eb('artist_id', 'is', null), eb('artist_id', '=', artistId)]))
    .execute();
  if (rows.some((row) => row.artist_id === null)) return 'everyone';
  return rows.length > 0 ? 'artist' : null;
}

/** @param artistId null for the mail of every artist */
export async function insertStoppedMailbox(
  database: Database,
  mailboxHash: string,
  artistId: string | null,
): Promise<void> {
  await database
    .insertInto('stopped_mailboxes')
    .values({ mailbox_hash: mailboxHash, artist_id: artistId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Lets a mailbox get mail of this artist again, and of all others whose mail was not stopped. */
export async function deleteStoppedMailbox(
  database: Database,
  mailboxHash: string,
  artistId: string,
): Promise<void> {
  await database
    .deleteFrom('stopped_mailboxes')
    .where('mailbox_hash', '=', mailboxHash)
    .where(({ or, eb }) => or([eb('artist_id', 'is', null), eb('artist_id', '=', artistId)]))
    .execute();
}
