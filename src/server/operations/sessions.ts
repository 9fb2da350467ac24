/** The logins of an artist: each browser that is logged in has a session. */
import type { SecurityEvent, SecurityEventCounts, Session } from '#contract/account_security.ts';
import type { ListPage, PageQuery } from '#contract/common.ts';
import { refuse } from '#domain/refusal.ts';
import {
  SECURITY_EVENT_KINDS,
  SESSION_LIFETIME_MS,
  type SecurityEventKind,
} from '#domain/security.ts';
import { type Instant, MINUTE_MS, toRfc3339 } from '#domain/time.ts';
import { findTokenOwner, revokeTokens } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import * as events from '#server/database/security_events.ts';
import * as sessions from '#server/database/sessions.ts';
import { readAccessToken, signAccessToken } from './access_token.ts';
import { browserName } from './browser_name.ts';
import type { Context } from './context.ts';

/** How exact the time of the last use is: more often, each call would write. */
const TOUCH_MS = 10 * MINUTE_MS;

/** The owner of an access token. */
export interface TokenOwner {
  readonly id: string;
  readonly sessionId: string;
  readonly isSuperuser: boolean;
  readonly isEmailProven: boolean;
}

/** What a browser says of itself. */
export interface Browser {
  /** The header `User-Agent`. */
  readonly userAgent: string | undefined;
  /** An IANA zone; undefined if the browser sent none. */
  readonly timeZone: string | undefined;
}

/** Starts a session; returns its access token. */
export async function startSession(
  { tokenKeys }: Pick<Context, 'tokenKeys'>,
  transaction: Database,
  artist: { readonly id: string; readonly token_version: number },
  { userAgent, timeZone }: Browser,
): Promise<string> {
  const sessionId = await sessions.insertSession(transaction, {
    artistId: artist.id,
    browser: browserName(userAgent),
    timeZone: timeZone ?? null,
  });
  return signAccessToken(tokenKeys, {
    artistId: artist.id,
    version: artist.token_version,
    sessionId,
  });
}

/**
 * Finds the owner of an access token.
 * @throws Refusal `not_signed_in` when the token is invalid or revoked, or its session has ended
 */
export async function authenticate(context: Context, token: string): Promise<TokenOwner> {
  const { database } = context;
  const claims = await readAccessToken(context.tokenKeys, token);
  const found = await findTokenOwner(database, claims);
  if (!found) throw refuse('not_signed_in');
  await useSession(database, claims.sessionId, found);
  return {
    id: found.id,
    sessionId: claims.sessionId,
    isSuperuser: found.is_superuser,
    isEmailProven: found.email_proven_at !== null,
  };
}

/**
 * Stores that the session of a token is used.
 * @throws Refusal `not_signed_in` when it has ended or was not used for long
 */
async function useSession(
  database: Database,
  sessionId: string,
  { last_used_at, ended_at }: Pick<TokenOwnerRow, 'last_used_at' | 'ended_at'>,
): Promise<void> {
  const now = Date.now();
  if (ended_at !== null || last_used_at.getTime() < now - SESSION_LIFETIME_MS)
    throw refuse('not_signed_in');
  if (last_used_at.getTime() < now - TOUCH_MS) await sessions.touchSession(database, sessionId);
}

type TokenOwnerRow = NonNullable<Awaited<ReturnType<typeof findTokenOwner>>>;

/** Lists where the artist is logged in, the last used first. */
export async function listSessions(
  { database }: Context,
  { id, sessionId }: TokenOwner,
  now: Instant,
): Promise<ListPage<Session>> {
  const rows = await sessions.listSessions(database, id, now - SESSION_LIFETIME_MS);
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
 * Ends one session of the artist, which may be the one of this call.
 * @throws Refusal `not_found` when the artist has no such session, or it has ended
 */
export async function endSession(context: Context, owner: TokenOwner, id: string): Promise<void> {
  await context.database.transaction().execute(async (transaction) => {
    if (!(await sessions.endSession(transaction, owner.id, id))) throw refuse('not_found');
    await insertEvent(transaction, owner, 'session_ended');
  });
}

/** Logs out: ends the session of this call. */
export async function logOut({ database }: Context, owner: TokenOwner): Promise<void> {
  await sessions.endSession(database, owner.id, owner.sessionId);
}

/**
 * Ends the artist's sessions, except the one with the id `keptSessionId`, if it is given. Deletes the
 * exports too: their links work without a session, and somebody else may have them.
 */
export async function endSessionsAndExports(
  transaction: Database,
  artistId: string,
  keptSessionId?: string,
): Promise<void> {
  await sessions.endSessions(transaction, artistId, keptSessionId);
  // The minutely tasks delete the files.
  await transaction.deleteFrom('exports').where('artist_id', '=', artistId).execute();
}

/**
 * Ends all other sessions of the artist, and deletes their exports. Also revokes all tokens, so that no copy
 * of this session's token stays valid: so this session gets a new token.
 * @returns the new token
 */
export async function endOtherSessions(context: Context, owner: TokenOwner): Promise<string> {
  return context.database.transaction().execute(async (transaction) => {
    const version = await revokeTokens(transaction, owner.id);
    await endSessionsAndExports(transaction, owner.id, owner.sessionId);
    await insertEvent(transaction, owner, 'other_sessions_ended');
    return signAccessToken(context.tokenKeys, {
      artistId: owner.id,
      version,
      sessionId: owner.sessionId,
    });
  });
}

/** Records what happened to an account now, with the browser that did it. */
export function insertBrowserEvent(
  transaction: Database,
  artistId: string,
  kind: SecurityEventKind,
  { userAgent, timeZone }: Browser,
): Promise<void> {
  const from = { browser: browserName(userAgent), timeZone: timeZone ?? null };
  return events.insertSecurityEvent(transaction, { artistId, kind, ...from });
}

function insertEvent(
  transaction: Database,
  { id: artistId, sessionId }: TokenOwner,
  kind: 'session_ended' | 'other_sessions_ended',
): Promise<void> {
  return events.insertSessionEvent(transaction, { artistId, kind, sessionId });
}

/** Lists what happened to the safety of the artist's account, the newest first. */
export async function listSecurityEvents(
  { database }: Context,
  artistId: string,
  page: PageQuery,
): Promise<ListPage<SecurityEvent>> {
  const { rows, count } = await events.listSecurityEvents(database, artistId, page);
  const data = rows.map(({ kind, browser, time_zone, happened_at }) => ({
    kind,
    browser,
    time_zone,
    happened_at: toRfc3339(happened_at.getTime()),
  }));
  return { data, count };
}

/** For superusers: counts the events of all accounts by kind. */
export async function countSecurityEvents({ database }: Context): Promise<SecurityEventCounts> {
  const counts = new Map(
    (await events.countSecurityEvents(database)).map((row) => [row.kind, row]),
  );
  const data = SECURITY_EVENT_KINDS.map((kind) => ({
    kind,
    last_day: counts.get(kind)?.day ?? 0,
    last_seven_days: counts.get(kind)?.week ?? 0,
  }));
  return { data, count: data.length };
}
