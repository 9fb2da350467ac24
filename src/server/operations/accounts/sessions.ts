/** The logins of an artist: each browser that is logged in has a session. */
import { type Insertable, sql } from 'kysely';
import type { SecurityEvent, SecurityEventCounts, Session } from '#contract/account_security.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import {
  SECURITY_EVENT_KINDS,
  SESSION_LIFETIME_MS,
  type SecurityEventKind,
} from '#domain/accounts/security.ts';
import { refuse } from '#domain/refusal.ts';
import { type Instant, MINUTE_MS, toRfc3339 } from '#domain/time/time.ts';
import { findTokenOwner, revokeTokens } from '#server/database/artists.ts';
import type { Database, Transaction } from '#server/database/connect.ts';
import { hasRow } from '#server/database/has_row.ts';
import { loadPage } from '#server/database/pagination.ts';
import { insertSecurityEvent, insertSessionEvent } from '#server/database/security_events.ts';
import type { Sessions } from '#server/database/tables.ts';
import { change } from '../change.ts';
import type { Context, InChange } from '../context.ts';
import { readAccessToken, signAccessToken } from './access_token.ts';
import { browserName } from './browser_name.ts';

/** The time of the last use is stored no more often than this, because each call would write it. */
const LAST_USE_INTERVAL_MS = 10 * MINUTE_MS;
/** An artist may have this many; a login beyond it ends the one that was used least recently. */
const MAX_SESSIONS = 100;

/** The artist to whom an access token belongs, and the session of its login. */
export interface TokenOwner {
  readonly id: string;
  readonly sessionId: string;
  readonly isSuperuser: boolean;
  readonly isEmailProven: boolean;
}

/** The browser of a call, as the call describes it. */
export interface Browser {
  readonly userAgent: string | undefined;
  /** An IANA zone; undefined if the browser sent none. */
  readonly timeZone: string | undefined;
}

/** Starts a session; returns its access token. */
export async function startSession(
  { database, tokenKeys }: InChange<Pick<Context, 'tokenKeys'>>,
  artist: { readonly id: string; readonly token_version: number },
  browser: Browser,
): Promise<string> {
  const session = { artist_id: artist.id, ...toBrowserColumns(browser) };
  return signAccessToken(tokenKeys, {
    artistId: artist.id,
    version: artist.token_version,
    sessionId: await insertSession(database, session),
  });
}

/** Inserts the session of a login, and ends the artist's sessions beyond the limit; returns the new one's id. */
export async function insertSession(
  transaction: Transaction,
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

function toBrowserColumns({ userAgent, timeZone }: Browser) {
  return { browser: browserName(userAgent), time_zone: timeZone ?? null };
}

/**
 * Finds the owner of an access token, and stores that its session is used.
 * @throws Refusal `not_signed_in` when the token is invalid or revoked, or its session has ended or was not
 *   used for long
 */
export async function authenticate(
  context: Context,
  token: string,
  now: Instant,
): Promise<TokenOwner> {
  const claims = await readAccessToken(context.tokenKeys, token);
  const found = await findTokenOwner(context.database, claims);
  if (!found || found.ended_at !== null) throw refuse('not_signed_in');
  const unusedFor = now - found.last_used_at.getTime();
  if (unusedFor > SESSION_LIFETIME_MS) throw refuse('not_signed_in');
  if (unusedFor > LAST_USE_INTERVAL_MS)
    await context.database
      .updateTable('sessions')
      .set({ last_used_at: sql<Date>`now()` })
      .where('id', '=', claims.sessionId)
      .execute();
  return {
    id: found.id,
    sessionId: claims.sessionId,
    isSuperuser: found.is_superuser,
    isEmailProven: found.email_proven_at !== null,
  };
}

/** Lists where the artist is logged in, the last used first. */
export async function listSessions(
  { database }: Pick<Context, 'database'>,
  { id, sessionId }: Pick<TokenOwner, 'id' | 'sessionId'>,
  now: Instant,
): Promise<ListPage<Session>> {
  const rows = await database
    .selectFrom('sessions')
    .select(['id', 'browser', 'time_zone', 'created_at', 'last_used_at'])
    .where('artist_id', '=', id)
    .where('ended_at', 'is', null)
    .where('last_used_at', '>', new Date(now - SESSION_LIFETIME_MS))
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute();
  const data = rows.map((row) => ({
    id: row.id,
    browser: row.browser,
    time_zone: row.time_zone,
    created_at: toRfc3339(row.created_at.getTime()),
    last_used_at: toRfc3339(row.last_used_at.getTime()),
    is_current: row.id === sessionId,
  }));
  return { data, count: data.length };
}

/**
 * Ends sessions of the artist: all, only one, or all but one.
 * @returns whether there was one to end
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

/** Ends one session of the artist, which may be the one of this call. */
export async function endSession(context: Context, owner: TokenOwner, id: string): Promise<void> {
  await change(context, { invalidates: [] }, async ({ database }) => {
    if (!(await endSessions(database, owner.id, { only: id }))) throw refuse('not_found');
    await insertSessionEvent(database, owner, 'session_ended');
  });
}

/** Logs out: ends the session of this call. */
export async function logOut({ database }: Context, owner: TokenOwner): Promise<void> {
  await endSessions(database, owner.id, { only: owner.sessionId });
}

/**
 * Ends the artist's sessions, except the one with the id `keptSessionId`, if it is given. Deletes the
 * exports too: their links work without a session, and somebody else may have them.
 */
export async function endSessionsAndExports(
  transaction: Transaction,
  artistId: string,
  keptSessionId?: string,
): Promise<void> {
  await endSessions(transaction, artistId, { except: keptSessionId });
  // The minutely tasks delete the files.
  await transaction.deleteFrom('exports').where('artist_id', '=', artistId).execute();
}

/**
 * Ends all other sessions of the artist, and deletes their exports. Also revokes all tokens, so that no copy
 * of this session's token stays valid: so this session gets a new token.
 * @returns the new token
 */
export async function endOtherSessions(context: Context, owner: TokenOwner): Promise<string> {
  return change(context, { invalidates: [] }, async ({ database, tokenKeys }) => {
    const { id: artistId, sessionId } = owner;
    const version = await revokeTokens(database, artistId);
    await endSessionsAndExports(database, artistId, sessionId);
    await insertSessionEvent(database, owner, 'other_sessions_ended');
    return signAccessToken(tokenKeys, { artistId, version, sessionId });
  });
}

/** Records a security event of an account, with its browser. */
export function insertBrowserEvent(
  transaction: Transaction,
  artistId: string,
  kind: SecurityEventKind,
  browser: Browser,
): Promise<void> {
  const event = { artist_id: artistId, kind, ...toBrowserColumns(browser) };
  return insertSecurityEvent(transaction, event);
}

/** Lists the security events of the artist's account, the newest first. */
export async function listSecurityEvents(
  { database }: Pick<Context, 'database'>,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<SecurityEvent>> {
  const events = database
    .selectFrom('security_events')
    .select(['kind', 'browser', 'time_zone', 'happened_at'])
    .where('artist_id', '=', artistId)
    .orderBy('id', 'desc');
  const { rows, count } = await loadPage(events, page);
  const data = rows.map(({ kind, browser, time_zone, happened_at }) => ({
    kind,
    browser,
    time_zone,
    happened_at: toRfc3339(happened_at.getTime()),
  }));
  return { data, count };
}

/** Counts the security events of all accounts by kind: of the last day, and of the last seven days. */
export async function countSecurityEvents({
  database,
}: Pick<Context, 'database'>): Promise<SecurityEventCounts> {
  const counts = await database
    .selectFrom('security_events')
    .select([
      'kind',
      sql<number>`(count(*) FILTER (WHERE happened_at > now() - interval '1 day'))::int`.as('day'),
      sql<number>`count(*)::int`.as('week'),
    ])
    .where('happened_at', '>', sql<Date>`now() - interval '7 days'`)
    .groupBy('kind')
    .execute();
  const data = SECURITY_EVENT_KINDS.map((kind) => {
    const { day = 0, week = 0 } = counts.find((row) => row.kind === kind) ?? {};
    return { kind, last_day: day, last_seven_days: week };
  });
  return { data, count: data.length };
}
