import type { Insertable } from 'kysely';
import type { Database } from './connect.ts';
import { loadPage, type Pagination } from './pagination.ts';
import type { Messages } from './tables.ts';

const COLUMNS = ['id', 'name', 'email', 'message', 'created_at'] as const;

export type MessageRow = Awaited<ReturnType<typeof insertMessage>>;

/** Inserts a message from the contact form of an artist's page. */
export function insertMessage(database: Database, message: Insertable<Messages>) {
  return database
    .insertInto('messages')
    .values(message)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** Lists the messages to an artist, newest first. */
export function listMessages(database: Database, artistId: string, page: Pagination) {
  const messages = database
    .selectFrom('messages')
    .select(COLUMNS)
    .where('artist_id', '=', artistId)
    .orderBy('created_at', 'desc')
    .orderBy('id');
  return loadPage(messages, page);
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
