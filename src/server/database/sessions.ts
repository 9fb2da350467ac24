import { type Insertable, sql } from 'kysely';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { deleteInBatches } from './in_batches.ts';
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
export async function hasSessions(database: Database, artistId: string): Promise<boolean> {
  const found = await database
    .selectFrom('sessions')
    .select('id')
    .where('artist_id', '=', artistId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
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
 * Ends a session of the artist.
 * @returns false when the artist has no such session, or it has ended
 */
export async function markSessionEnded(
  database: Database,
  artistId: string,
  id: string,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('sessions')
    .set({ ended_at: sql<Date>`now()` })
    .where('artist_id', '=', artistId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the artist's sessions, except the one with the id `exceptId`, if it is given. */
export async function endSessions(
  database: Database,
  artistId: string,
  exceptId?: string,
): Promise<void> {
  let update = database
    .updateTable('sessions')
    .set({ ended_at: sql<Date>`now()` })
    .where('artist_id', '=', artistId)
    .where('ended_at', 'is', null);
  if (exceptId !== undefined) update = update.where('id', '!=', exceptId);
  await update.execute();
}

/** Deletes the sessions that were last used before an instant. */
export async function deleteOldSessions(database: Database, before: Instant): Promise<void> {
  const isOld = sql`last_used_at < ${new Date(before)}`;
  await deleteInBatches(database, 'sessions', 'last_used_at', isOld);
}
