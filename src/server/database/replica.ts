import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Database, isDatabaseUnavailable, openDatabase } from './connect.ts';
import { createDedicatedConnection, keepConnected } from './dedicated_connection.ts';
import { errorCode } from './error_code.ts';
import { type Lsn, parseLsn } from './lsn.ts';

interface ReplicaReader {
  /** @param work must only read, because it runs again on the primary when the replica fails */
  read<T>(work: (database: Database) => Promise<T>): Promise<T>;
  /** Closes the connections to the replica, not those to the primary. */
  stop(): Promise<void>;
}

interface ReplicaReaderOptions {
  readonly primary: Database;
  /** The URL of a streaming replica; undefined when there is none. */
  readonly url: string | undefined;
  /** How many connections to the replica are opened at most. */
  readonly maxConnections: number;
  /**
   * Returns the LSN (position in the primary's write-ahead log) of the last change that invalidated
   * responses in the HTTP cache; undefined while unknown. Reads use the primary while the LSN is
   * unknown, and until the replica has replayed it.
   */
  readonly requiredLsn: () => Lsn | undefined;
  readonly log: Logger;
}

/** How often to poll the replica for its replayed LSN. Reads never wait for the answer. */
const IDLE_POLL_MS = 1000;
/** The wait before the next poll after a read found the replica outdated. */
const OUTDATED_POLL_MS = 20;
/** A replica that does not answer within this time counts as lost. */
const TIMEOUT_MS = 2000;
const RECONNECT_MS = 500;
/** For the status of the replica. */
const STATUS_CONNECTIONS = 1;

interface Replica {
  readonly database: Database;
  /** The LSN up to which the replica has replayed the primary's log, when it was last asked. */
  replayedLsn: Lsn;
}

/**
 * Runs reads on the replica, to take load off the primary. The primary runs the reads while `url`
 * cannot be reached, is not a replica of this primary, or has not replayed up to `requiredLsn`.
 */
export function openReplicaReader(options: ReplicaReaderOptions): ReplicaReader {
  const { primary, url, maxConnections, requiredLsn, log } = options;
  if (url === undefined) return { read: (work) => work(primary), stop: async () => {} };
  /** Undefined while the replica is not connected. */
  let replica: Replica | undefined;
  /** A read that finds the replica outdated resolves this promise, which starts a poll soon. */
  let outdatedRead = Promise.withResolvers<void>();
  const connection = keepConnected({
    url,
    applicationName: 'linework replica status',
    timeoutMs: TIMEOUT_MS,
    reconnectMs: RECONNECT_MS,
    // Polls the replica's LSN until this connection is lost. The LSN cannot decrease until then:
    // only a restart of the replica can lower it, and a restart ends the connection.
    use: async ({ client, lost }, ready, signal) => {
      await using resources = new AsyncDisposableStack();
      await assertReplicaOf(primary, client);
      const database = openDatabase(url, maxConnections - STATUS_CONNECTIONS, {
        connectionTimeoutMillis: TIMEOUT_MS,
        query_timeout: TIMEOUT_MS,
        application_name: 'linework reads',
      });
      resources.defer(() => database.destroy());
      const connected: Replica = { database, replayedLsn: await readReplayedLsn(client) };
      // Runs before `database.destroy()`, because resources are released in reverse order.
      resources.defer(() => {
        replica = undefined;
      });
      replica = connected;
      ready();
      // `lost` rejects when the connection is lost, and `sleep` rejects on `stop`: the loop ends.
      while (!signal.aborted) {
        outdatedRead = Promise.withResolvers();
        const idleTime = sleep(IDLE_POLL_MS, undefined, { signal });
        await Promise.race([lost, outdatedRead.promise, idleTime]);
        // Keeps polls apart, since a read may resolve `outdatedRead` immediately.
        await Promise.race([lost, sleep(OUTDATED_POLL_MS, undefined, { signal })]);
        connected.replayedLsn = await Promise.race([lost, readReplayedLsn(client)]);
      }
    },
    log: log.child({ component: 'Database' }),
    messages: {
      lost: 'Replica at DATABASE_READ_URL not used',
      restored: 'Replica at DATABASE_READ_URL used again',
    },
  });

  /** Returns undefined when the primary must be read. An outdated replica is polled again soon. */
  function findUpToDateReplica(): Replica | undefined {
    const lsn = requiredLsn();
    if (replica === undefined || lsn === undefined) return undefined;
    if (replica.replayedLsn >= lsn) return replica;
    outdatedRead.resolve();
    return undefined;
  }

  return {
    async read(work) {
      const usedReplica = findUpToDateReplica();
      if (usedReplica === undefined) return work(primary);
      try {
        return await work(usedReplica.database);
      } catch (error) {
        // An error of `work` itself, such as "not found", would occur on the primary too. But after
        // a loss of the replica, any error may come from the replica's closed pool.
        const isDatabaseError = errorCode(error) !== undefined || isDatabaseUnavailable(error);
        if (!isDatabaseError && replica === usedReplica) throw error;
        return work(primary);
      }
    },
    stop: () => connection.stop(),
  };
}

/**
 * Checks that a URL names a replica of a primary.
 * @throws when it cannot be reached, or is none
 */
export async function testReplica(
  primary: Database,
  url: string,
  timeoutMs: number,
): Promise<void> {
  await using connection = createDedicatedConnection(url, 'linework replica test', timeoutMs);
  const { client } = connection;
  await client.connect();
  await assertReplicaOf(primary, client);
  await readReplayedLsn(client);
}

/** Reads the LSN up to which the replica has replayed the primary's log. */
async function readReplayedLsn(client: pg.Client): Promise<Lsn> {
  // Without the CASE, a replica that was promoted to a primary would still return an LSN.
  const { rows } = await client.query<{ lsn: string | null }>(
    'SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END AS lsn',
  );
  const [row] = rows;
  if (!row?.lsn) throw new Error('the server is not a replica');
  return parseLsn(row.lsn);
}

/** A primary and its replicas have the same system identifier, unlike other databases. */
const SELECT_SYSTEM_ID = 'SELECT system_identifier::text AS id FROM pg_control_system()';

async function assertReplicaOf(primary: Database, client: pg.Client): Promise<void> {
  const [primaryResult, replicaResult] = await Promise.all([
    sql<{ id: string }>`${sql.raw(SELECT_SYSTEM_ID)}`.execute(primary),
    client.query<{ id: string }>(SELECT_SYSTEM_ID),
  ]);
  if (primaryResult.rows[0]?.id !== replicaResult.rows[0]?.id)
    throw new Error('the server is not a replica of DATABASE_URL');
}
