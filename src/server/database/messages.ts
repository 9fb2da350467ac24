import { type Insertable, sql } from 'kysely';
import { widerNetwork } from '#domain/network.ts';
import type { Instant } from '#domain/time.ts';
import { isOfNetwork } from './booking_limits.ts';
import type { Database } from './connect.ts';
import { hashMailbox } from './hashed_keys.ts';
import { countChanged, inParts } from './in_batches.ts';
import { loadPage, type Pagination } from './pagination.ts';
import type { Messages } from './tables.ts';

const COLUMNS = ['id', 'name', 'email', 'message', 'created_at', 'read_at'] as const;

export type MessageRow = Awaited<ReturnType<typeof insertMessage>>;

/** Inserts a message from the contact form of an artist's page. */
export function insertMessage(database: Database, message: Omit<Insertable<Messages>, 'mailbox'>) {
  return database
    .insertInto('messages')
    .values({ ...message, mailbox: hashMailbox(message.email) })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/**
 * Counts the messages that the artist has not seen in the studio: all, those of one network, and those of
 * the /48 of IPv6 around it.
 */
export async function countUnreadMessages(
  database: Database,
  artistId: string,
  network: string,
): Promise<Readonly<Record<'total' | 'ofNetwork' | 'ofWider', number>>> {
  const wider = widerNetwork(network);
  const isOfWider = wider === null ? sql<boolean>`false` : isOfNetwork(sql.ref('network'), wider);
  const { total, of_network, of_wider } = await database
    .selectFrom('messages')
    .select((eb) => [
      eb.fn.countAll().as('total'),
      eb.fn.countAll().filterWhere('network', '=', network).as('of_network'),
      eb.fn.countAll().filterWhere(isOfWider).as('of_wider'),
    ])
    .where('artist_id', '=', artistId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { total: Number(total), ofNetwork: Number(of_network), ofWider: Number(of_wider) };
}

/** Marks messages of this artist as read; ids of others are ignored. */
export async function markMessagesRead(
  database: Database,
  artistId: string,
  ids: readonly string[],
): Promise<void> {
  await database
    .updateTable('messages')
    .set({ read_at: sql<Date>`now()` })
    .where('artist_id', '=', artistId)
    .where('id', 'in', ids)
    .where('read_at', 'is', null)
    .execute();
}

/** Selects the messages to an artist, newest first. */
export function selectMessagesOfArtist(database: Database, artistId: string) {
  return database
    .selectFrom('messages')
    .select(COLUMNS)
    .where('artist_id', '=', artistId)
    .orderBy('created_at', 'desc')
    .orderBy('id');
}

export function listMessages(database: Database, artistId: string, page: Pagination) {
  return loadPage(selectMessagesOfArtist(database, artistId), page);
}

/** Lists the messages with this email to an artist, newest first. */
export function listMessagesFrom(database: Database, artistId: string, email: string) {
  return selectMessagesOfArtist(database, artistId)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .execute();
}

/** Returns false when this artist has no such message. */
export async function deleteMessage(database: Database, artistId: string, id: string) {
  const { numDeletedRows } = await database
    .deleteFrom('messages')
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes the messages that arrived before an instant. @returns how many */
export async function deleteOldMessages(database: Database, before: Instant): Promise<number> {
  return inParts(database, 'messages', (isInPart) =>
    countChanged(
      database,
      sql`DELETE FROM messages WHERE ${isInPart} AND created_at < ${new Date(before)}`,
    ),
  );
}
