import type { Insertable } from 'kysely';
import type { Database } from './connect.ts';
import type { Messages } from './tables.ts';

/** Keeps what a visitor wrote. */
export function insertMessage(database: Database, message: Insertable<Messages>) {
  return database
    .insertInto('messages')
    .values(message)
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow();
}
