import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { type Database, isDatabaseUnavailable, openDatabase } from './connect.ts';
import { type DedicatedConnection, keepConnected } from './dedicated_connection.ts';
import { errorCode } from './error_code.ts';
import { type Lsn, parseLsn } from './lsn.ts';

/** Runs public reads on the replica when it is up to date, and on the primary otherwise. */
export interface ReplicaReader {
  /** @param work reads only; it may run twice, when the replica fails */
  read<T>(work: (database: Database) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

interface ReplicaReaderOptions {
  readonly primary: Database;
  /** Address of a streaming replica; undefined when there is none. */
  readonly url: string | undefined;
  /** What the replica must have replayed (`InvalidationChannel`); undefined when that is unknown. */
  readonly requiredLsn: () => Lsn | undefined;
  readonly log: (line: string) => void;
}

/** How often the replica is asked for its position: while a read waits for it, and otherwise. */
const BUSY_POLL_MS = 20;
const IDLE_POLL_MS = 1000;
/** A replica that does not answer within this time is lost; the primary is read instead. */
const TIMEOUT_MS = 2000;
const RECONNECT_MS = 500;
const MAX_CONNECTIONS = 20;

/** A replica that can be read, and the log position it has replayed. */
interface Replica {
  readonly database: Database;
  replayedLsn: Lsn;
}

/**
 * Follows the replica. The primary does all reads while the replica cannot be reached, belongs to
 * another cluster, or has not replayed the last invalidated change.
 */
export function openReplicaReader({
  primary,
  url,
  requiredLsn,
  log,
}: ReplicaReaderOptions): ReplicaReader {
  if (url === undefined) return { read: (work) => work(primary), stop: async () => {} };
  let replica: Replica | undefined;
  let outdatedRead = Promise.withResolvers<void>();
  const connection = keepConnected({
    url,
    applicationName: 'linework follower',
    timeoutMs: TIMEOUT_MS,
    reconnectMs: RECONNECT_MS,
    use: (dedicated, ready, signal) => follow(url, dedicated, ready, signal),
    log,
    messages: {
      lost: 'Replica of DATABASE_READ_URL not used',
      restored: 'Replica of DATABASE_READ_URL used again.',
    },
  });

  /** The replica, when it has replayed every invalidated change. */
  function upToDateReplica(): Replica | undefined {
    const lsn = requiredLsn();
    if (replica === undefined || lsn === undefined) return undefined;
    if (replica.replayedLsn >= lsn) return replica;
    outdatedRead.resolve();
    return undefined;
  }

  /**
   * Polls the replica's position until the connection is lost. A replica that restarts may be at a
   * lower position; its restart ends the connection first.
   */
  async function follow(
    replicaUrl: string,
    { client, lost }: DedicatedConnection,
    ready: () => void,
    signal: AbortSignal,
  ): Promise<void> {
    await using resources = new AsyncDisposableStack();
    await expectReplicaOf(primary, client);
    const database = openDatabase(replicaUrl, MAX_CONNECTIONS, {
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      application_name: 'linework reads',
    });
    resources.defer(() => database.destroy());
    const followed: Replica = { database, replayedLsn: await readReplayedLsn(client) };
    resources.defer(() => {
      replica = undefined;
    });
    replica = followed;
    ready();
    while (!signal.aborted) {
      outdatedRead = Promise.withResolvers();
      await Promise.race([lost, outdatedRead.promise, pause(IDLE_POLL_MS, undefined, { signal })]);
      await Promise.race([lost, pause(BUSY_POLL_MS, undefined, { signal })]);
      followed.replayedLsn = await Promise.race([lost, readReplayedLsn(client)]);
    }
  }

  return {
    async read(work) {
      const used = upToDateReplica();
      if (used === undefined) return work(primary);
      try {
        return await work(used.database);
      } catch (error) {
        // An error of `work` itself, such as a refusal, would be the same on the primary.
        if (replica === used && errorCode(error) === undefined && !isLost(error)) throw error;
        return work(primary);
      }
    },
    stop: () => connection.stop(),
  };
}

/** Whether pg gave up a connection or a query; those errors have no code. */
function isLost(error: unknown): boolean {
  return (
    isDatabaseUnavailable(error) ||
    (error instanceof Error && error.message === 'Query read timeout')
  );
}

/** The position in the primary's log up to which a replica has replayed it. */
async function readReplayedLsn(client: pg.Client): Promise<Lsn> {
  // A replica that was promoted would still answer its last position.
  const { rows } = await client.query<{ lsn: string | null }>(
    'SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END AS lsn',
  );
  const lsn = rows[0]?.lsn ?? null;
  if (lsn === null) throw new Error('it is not a replica');
  return parseLsn(lsn);
}

/** A cluster and its replicas share this number. */
const SYSTEM = 'SELECT system_identifier::text AS system FROM pg_control_system()';

/** @throws Error when the client is connected to another cluster */
async function expectReplicaOf(primary: Database, client: pg.Client): Promise<void> {
  const [ours, theirs] = await Promise.all([
    sql<{ system: string }>`${sql.raw(SYSTEM)}`.execute(primary),
    client.query<{ system: string }>(SYSTEM),
  ]);
  if (ours.rows[0]?.system !== theirs.rows[0]?.system)
    throw new Error('it is not a replica of the database of DATABASE_URL');
}
