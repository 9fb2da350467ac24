import { type Insertable, sql } from 'kysely';
import type { SecurityEventKind } from '#domain/accounts/security.ts';
import type { Instant } from '#domain/time/time.ts';
import type { Database } from './connect.ts';
import { hasRow } from './has_row.ts';
import type { SecurityEvents } from './tables.ts';

/**
 * Inserts an event that happened to an account now.
 * @param event without an artist for a deleted account
 */
export async function insertSecurityEvent(
  database: Database,
  event: Insertable<SecurityEvents>,
): Promise<void> {
  await database.insertInto('security_events').values(event).execute();
}

/** Inserts an event with the browser and the zone of a session of the artist. */
export async function insertSessionEvent(
  database: Database,
  { id: artist_id, sessionId }: { readonly id: string; readonly sessionId: string },
  kind: SecurityEventKind,
): Promise<void> {
  const session = await database
    .selectFrom('sessions')
    .select(['browser', 'time_zone'])
    .where('id', '=', sessionId)
    .where('artist_id', '=', artist_id)
    .executeTakeFirst();
  await insertSecurityEvent(database, { artist_id, kind, ...session });
}

/** Whether one of these events happened to the account after an instant. */
export function hasSecurityEvent(
  database: Database,
  artistId: string,
  kinds: readonly SecurityEventKind[],
  since: Instant,
): Promise<boolean> {
  const events = database
    .selectFrom('security_events')
    .where('artist_id', '=', artistId)
    .where('kind', 'in', kinds)
    .where('happened_at', '>', new Date(since));
  return hasRow(events.select('id').limit(sql.lit(1)));
}
