import { type Insertable, sql } from 'kysely';
import type { Database } from './connect.ts';
import { hasRow } from './has_row.ts';
import type { Sessions } from './tables.ts';

/** An artist may have this many sessions; a login beyond it ends the one that was used least recently. */
const MAX_SESSIONS = 100;

/** Inserts the session of a login; returns its id. */
export async function insertSession(
  transaction: Database,
  session: Insertable<Sessions>,
): Promise<string> {
  const { id } = await transaction
    .insertInto('sessions')
    .values(session)
    .returning('id')
    .executeTakeFirstOrThrow();
  await transaction
    .updateTable('sessions')
    .set({ ended_at: sql<Date>`now()` })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('artist_id', '=', session.artist_id)
        .where('ended_at', 'is', null)
        .orderBy('last_used_at', 'desc')
        .offset(MAX_SESSIONS),
    )
    .execute();
  return id;
}

/** Finds a session of the artist, also one that has ended. */
export function findSession(database: Database, artistId: string, id: string) {
  return database
    .selectFrom('sessions')
    .select(['last_used_at', 'ended_at'])
    .where('artist_id', '=', artistId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Whether the artist has, or had lately, a session. */
export function hasSessions(database: Database, artistId: string): Promise<boolean> {
  const sessions = database.selectFrom('sessions').where('artist_id', '=', artistId);
  return hasRow(sessions.select('id').limit(1));
}

/** Stores that a session is used now. */
export async function touchSession(database: Database, id: string): Promise<void> {
  await database
    .updateTable('sessions')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/**
 * Ends sessions of the artist: all, only one, or all but one.
 * @returns false when they had ended before, or there are none
 */
export function endSessions(
  database: Database,
  artistId: string,
  which: { readonly only?: string; readonly except?: string | undefined } = {},
): Promise<boolean> {
  let update = database
    .updateTable('sessions')
    .set({ ended_at: sql<Date>`now()` })
    .where('artist_id', '=', artistId)
    .where('ended_at', 'is', null);
  if (which.only !== undefined) update = update.where('id', '=', which.only);
  if (which.except !== undefined) update = update.where('id', '!=', which.except);
  return hasRow(update.returning('id'));
}
