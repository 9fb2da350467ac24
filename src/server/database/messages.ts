import type { Insertable } from 'kysely';
import type { Database } from './connect.ts';
import { loadPage, type Pagination, TOTAL_COUNT } from './pagination.ts';
import type { Messages } from './tables.ts';

const COLUMNS = ['id', 'name', 'email', 'message', 'created_at'] as const;

export type MessageRow = Awaited<ReturnType<typeof insertMessage>>;

/** Keeps what a visitor wrote. */
export function insertMessage(database: Database, message: Insertable<Messages>) {
  return database
    .insertInto('messages')
    .values(message)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** What visitors wrote to an artist, newest first. */
export function listMessages(database: Database, artistId: string, page: Pagination) {
  const all = database.selectFrom('messages').where('artist_id', '=', artistId);
  return loadPage(
    all.select(COLUMNS).orderBy('created_at', 'desc').orderBy('id'),
    all.select(TOTAL_COUNT),
    page,
  );
}

/** Whether this artist had such a message. */
export async function deleteMessage(
  database: Database,
  artistId: string,
  id: string,
): Promise<boolean> {
  const deleted = await database
    .deleteFrom('messages')
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}
