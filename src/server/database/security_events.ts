import { sql } from 'kysely';
import type { SecurityEventKind } from '#domain/security.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { deleteInBatches } from './in_batches.ts';
import { loadPage, type Pagination } from './pagination.ts';

export interface NewSecurityEvent {
  /** Null for a deleted account. */
  readonly artistId: string | null;
  readonly kind: SecurityEventKind;
  /** Such as 'Chrome on Android'; null if unknown. */
  readonly browser?: string | null;
  /** An IANA zone; null if unknown. */
  readonly timeZone?: string | null;
}

/** Inserts an event that happened to an account now. */
export async function insertSecurityEvent(
  database: Database,
  { artistId, kind, browser = null, timeZone = null }: NewSecurityEvent,
): Promise<void> {
  await database
    .insertInto('security_events')
    .values({ artist_id: artistId, kind, browser, time_zone: timeZone })
    .execute();
}

/** Inserts an event with the browser and the zone of a session of the artist. */
export async function insertSessionEvent(
  database: Database,
  event: Pick<NewSecurityEvent, 'kind'> & { readonly artistId: string; readonly sessionId: string },
): Promise<void> {
  const { artistId, kind, sessionId } = event;
  const session = await database
    .selectFrom('sessions')
    .select(['browser', 'time_zone'])
    .where('id', '=', sessionId)
    .where('artist_id', '=', artistId)
    .executeTakeFirst();
  const { browser = null, time_zone: timeZone = null } = session ?? {};
  await insertSecurityEvent(database, { artistId, kind, browser, timeZone });
}

/** Lists what happened to the safety of an account, the newest first. */
export function listSecurityEvents(database: Database, artistId: string, page: Pagination) {
  const events = database
    .selectFrom('security_events')
    .select(['kind', 'browser', 'time_zone', 'happened_at'])
    .where('artist_id', '=', artistId)
    .orderBy('id', 'desc');
  return loadPage(events, page);
}

/** Whether one of these events happened to the account since an instant. */
export async function hasSecurityEvent(
  database: Database,
  artistId: string,
  kinds: readonly SecurityEventKind[],
  since: Instant,
): Promise<boolean> {
  const found = await database
    .selectFrom('security_events')
    .select('id')
    .where('artist_id', '=', artistId)
    .where('kind', 'in', kinds)
    .where('happened_at', '>', new Date(since))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Counts the events of all accounts by kind: those of the last day, and of the last seven. */
export function countSecurityEvents(database: Database) {
  return database
    .selectFrom('security_events')
    .select([
      'kind',
      sql<number>`(count(*) FILTER (WHERE happened_at > now() - interval '1 day'))::int`.as('day'),
      sql<number>`count(*)::int`.as('week'),
    ])
    .where('happened_at', '>', sql<Date>`now() - interval '7 days'`)
    .groupBy('kind')
    .execute();
}

/** Deletes the events of all accounts before an instant. */
export async function deleteOldSecurityEvents(database: Database, before: Instant): Promise<void> {
  const isOld = sql`happened_at < ${new Date(before)}`;
  await deleteInBatches(database, 'security_events', 'happened_at', isOld);
}
