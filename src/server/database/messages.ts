import type { Insertable } from 'kysely';
import type { Database } from './connect.ts';
import type { Messages } from './tables.ts';

/** Keeps what a visitor wrote. */
export async function insertMessage(
  database: Database,
  message: Insertable<Messages>,
): Promise<void> {
  await database.insertInto('messages').values(message).execute();
}
