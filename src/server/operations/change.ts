/** The way to change data: a transaction with a lock, and the invalidation of what caches show of it. */
import { sql } from 'kysely';
import { tag } from '#cache/policy.ts';
import { type RefusalReason, refuse } from '#domain/refusal.ts';
import type { Instant } from '#domain/time/time.ts';
import {
  type Database,
  isRetryable,
  type Transaction,
  violatedConstraint,
} from '#server/database/connect.ts';
import type { Context, InChange } from './context.ts';

const MAX_ATTEMPTS = 4;
/** A change that waits longer for earlier changes is refused: the database may be stuck. */
const MAX_WAIT_MS = 10_000;

/**
 * The lock of a change: other changes with the same lock wait. `calendar` is for changes of this artist's
 * calendar, so that no time is booked twice. `artist` is for changes that count what this artist has, and
 * add to it.
 *
 * A transaction that takes several locks takes them in this order, so that no two wait for each other:
 * 1. the artist's calendar (here)
 * 2. the sweep of reminders (`pauseReminderSweeps`)
 * 3. the artist's row (here, or `lockArtist`)
 * 4. a thread of mails, then budgets of mails
 */
type Scope =
  | { readonly lock: 'calendar' | 'artist'; readonly artistId: string }
  | { readonly lock?: undefined };

type Change<T> = Scope & {
  /** Tags of the public data that change; those that depend on the result are a function of it. */
  readonly invalidates: readonly string[] | ((result: T) => readonly string[]);
};

/** Refusals for the database's errors about rows that exclude each other. */
const CONSTRAINT_REFUSALS: Readonly<Record<string, RefusalReason>> = {
  no_double_booking: 'time_taken',
  artists_username: 'username_taken',
  artists_email: 'email_taken',
  // Another client of the same artist has the email.
  clients_email: 'client_email_taken',
  // The key of a payment is its id, and another artist's.
  payments_received_pkey: 'idempotency_key_reused',
};

/**
 * Changes data in a transaction, and invalidates the tags of what it has changed before the response is sent.
 * Nothing is changed when the work throws. Only a change of one statement that no cache shows, and that needs
 * no lock, may be a query of its own.
 * @param work gets a context whose `database` is the transaction. Name it `context` too, or take fields of it
 *   (`({ database }) => …`), and use no other: the outer context is outside the transaction, which the
 *   compiler refuses only where a function takes a `Transaction`. The work runs again after a deadlock or a
 *   serialization failure. `now` is the time of the database's clock after the lock was taken
 * @throws Refusal of `CONSTRAINT_REFUSALS`; `busy` after `MAX_WAIT_MS` or `MAX_ATTEMPTS`
 */
export async function change<C extends Pick<Context, 'database' | 'invalidate'>, T>(
  context: C,
  { invalidates, ...scope }: Change<T>,
  work: (context: InChange<C>, now: Instant) => Promise<T>,
): Promise<T> {
  const { database, invalidate } = context;
  let tags: readonly string[] = [];
  const runOnce = (endTurn: () => void) =>
    database.transaction().execute(async (transaction) => {
      tags = [];
      const now = await lockAndReadClock(transaction, scope);
      const result = await work({ ...context, database: transaction }, now);
      tags = typeof invalidates === 'function' ? invalidates(result) : invalidates;
      // The next change asks for the lock while this one commits.
      endTurn();
      return result;
    });
  try {
    return await waitForTurn(database, scope, (endTurn) => withRetries(() => runOnce(endTurn)));
  } finally {
    // Also after an error of the commit: it may have succeeded although its connection was lost.
    if (tags.length > 0) await invalidate(tags);
  }
}

/** Scopes a change to the lock of an artist's calendar. Unless told otherwise, clients' free times are invalidated. */
export function calendarScope(
  artistId: string,
  invalidates: readonly string[] = [tag.availability(artistId)],
) {
  return { lock: 'calendar', artistId, invalidates } as const;
}

/**
 * Refuses with this reason if the saved time overlaps another.
 * @param save runs in a transaction of `change`, whose own refusal would be `time_taken`
 */
export async function refusingOverlap<T>(
  reason: RefusalReason,
  save: () => Promise<T>,
): Promise<T> {
  try {
    return await save();
  } catch (error) {
    throw violatedConstraint(error) === 'no_double_booking' ? refuse(reason) : error;
  }
}

/** Waits for the lock, then reads the clock: PostgreSQL evaluates in this order. */
async function lockAndReadClock(transaction: Transaction, scope: Scope): Promise<Instant> {
  const { rows } = await clockQuery(scope).execute(transaction);
  const [row] = rows;
  if (row === undefined) throw new Error('Reading the database clock failed');
  return row.now.getTime();
}

/** Has no parameters, so that BEGIN is sent with it (`withPreparedStatements`). */
function clockQuery(scope: Scope) {
  if (scope.lock === undefined) return sql<{ now: Date }>`SELECT clock_timestamp() AS now`;
  const { lock } = scope;
  const artistId = sql.lit(scope.artistId);
  // `NO KEY`: other transactions may still insert rows that refer to the artist.
  if (lock === 'artist')
    return sql<{ now: Date }>`
      WITH locked AS (SELECT id FROM artists WHERE id = ${artistId} FOR NO KEY UPDATE)
      SELECT (SELECT count(*) FROM locked), clock_timestamp() AS now
    `;
  // The 0 is the seed of the hash.
  return sql<{ now: Date }>`
    SELECT pg_advisory_xact_lock(hashtextextended(${artistId}, 0)), clock_timestamp() AS now
  `;
}

/** By lock and artist: resolves when the turn of the change that this process queued last is over. */
type LastTurns = Map<string, Promise<void>>;
const lastTurnsByDatabase = new WeakMap<Database, LastTurns>();

/**
 * Makes changes of this process wait for each other before they take a connection, to leave connections
 * for other artists (docs/decisions, 0007). The database's locks make those of other processes wait.
 * @param run a change, which may end its turn when it has nothing left but to commit
 */
async function waitForTurn<T>(
  database: Database,
  scope: Scope,
  run: (endTurn: () => void) => Promise<T>,
): Promise<T> {
  if (scope.lock === undefined) return run(() => {});
  const lastTurns: LastTurns = lastTurnsByDatabase.get(database) ?? new Map();
  lastTurnsByDatabase.set(database, lastTurns);
  const key = `${scope.lock} ${scope.artistId}`;
  const previousTurn = lastTurns.get(key);
  const { promise: turn, resolve: endTurn } = Promise.withResolvers<void>();
  lastTurns.set(key, turn);
  const waitingSince = performance.now();
  try {
    await previousTurn;
    if (performance.now() - waitingSince > MAX_WAIT_MS) throw refuse('busy');
    return await run(endTurn);
  } finally {
    endTurn();
    if (lastTurns.get(key) === turn) lastTurns.delete(key);
  }
}

async function withRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const reason = CONSTRAINT_REFUSALS[violatedConstraint(error) ?? ''];
      if (reason !== undefined) throw refuse(reason);
      if (!isRetryable(error)) throw error;
      if (attempt === MAX_ATTEMPTS) throw refuse('busy');
    }
  }
}
