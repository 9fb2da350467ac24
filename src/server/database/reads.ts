import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { type Database, errorCode, isDatabaseDown, openDatabase } from './connect.ts';
import { type LogPlace, placeOf } from './log_place.ts';
import { watchConnection } from './watched_connection.ts';

/** Where public reads are made. */
export interface Reads {
  /** Does what only reads, on the replica while it has all that was cleared, else on the primary. */
  read<T>(work: (database: Database) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

interface ReadsOptions {
  readonly primary: Database;
  /** One streaming replica of it; undefined when there is none. */
  readonly url: string | undefined;
  /** How far it must have come (`Clears`); undefined when that is not known. */
  readonly upTo: () => LogPlace | undefined;
  readonly log: (line: string) => void;
}

/** How often a replica is asked how far it has come: while somebody waits for it, and else. */
const BEHIND_MS = 20;
const BEAT_MS = 1000;
/** A replica that says nothing for so long is lost: the primary is near, and asked instead. */
const SILENT_MS = 2000;
const RECONNECT_MS = 500;

/** How far a replica is that can be used, and the connections to it. */
interface Replica {
  readonly database: Database;
  reached: LogPlace;
}

/**
 * Follows the replica. While it cannot be reached, is no replica of the primary, or lacks a change
 * that was cleared, the primary does all.
 */
export function openReads({ primary, url, upTo, log }: ReadsOptions): Reads {
  if (url === undefined) return { read: (work) => work(primary), stop: async () => {} };
  const stopping = new AbortController();
  let replica: Replica | undefined;
  let missed = Promise.withResolvers<void>();
  const following = followForGood(url);

  /** The replica, when it has all that was cleared. */
  function upToDate(): Replica | undefined {
    const needed = upTo();
    if (replica === undefined || needed === undefined) return undefined;
    if (replica.reached >= needed) return replica;
    missed.resolve();
    return undefined;
  }

  async function followForGood(url: string): Promise<void> {
    let isTold = false;
    while (!stopping.signal.aborted) {
      try {
        await followOnce(url, () => {
          if (isTold) log('The replica can be read from again.');
          isTold = false;
        });
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (!isTold) log(`Nothing is read from the replica of DATABASE_READ_URL: ${error}`);
        isTold = true;
      }
      await pause(RECONNECT_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /**
   * Watches how far it comes until the connection breaks, or we stop. A replica that starts again
   * may be at an earlier place, and breaks the connection first.
   */
  async function followOnce(url: string, found: () => void): Promise<void> {
    await using space = new AsyncDisposableStack();
    const { client, lost } = space.use(watchConnection(url, 'linework follower', SILENT_MS));
    await client.connect();
    await expectReplicaOf(primary, client);
    const database = openDatabase(url, 20, {
      connectionTimeoutMillis: SILENT_MS,
      query_timeout: SILENT_MS,
      application_name: 'linework reads',
    });
    space.defer(() => database.destroy());
    const followed: Replica = { database, reached: await askReached(client) };
    space.defer(() => {
      replica = undefined;
    });
    replica = followed;
    found();
    while (!stopping.signal.aborted) {
      const { signal } = stopping;
      missed = Promise.withResolvers();
      await Promise.race([lost, missed.promise, pause(BEAT_MS, undefined, { signal })]);
      await Promise.race([lost, pause(BEHIND_MS, undefined, { signal })]);
      followed.reached = await Promise.race([lost, askReached(client)]);
    }
  }

  return {
    async read(work) {
      const used = upToDate();
      if (used === undefined) return work(primary);
      try {
        return await work(used.database);
      } catch (error) {
        // What the work itself refuses, the primary would refuse too.
        if (replica === used && errorCode(error) === undefined && !isLost(error)) throw error;
        return work(primary);
      }
    },
    async stop() {
      stopping.abort();
      await following;
    },
  };
}

/** Whether pg itself gave up on a connection or a query; those errors have no code. */
function isLost(error: unknown): boolean {
  return (
    isDatabaseDown(error) || (error instanceof Error && error.message === 'Query read timeout')
  );
}

/** How far a replica has come. */
async function askReached(client: pg.Client): Promise<LogPlace> {
  // A replica that became a primary of its own still answers where it was.
  const { rows } = await client.query<{ lsn: string | null }>(
    'SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END AS lsn',
  );
  const lsn = rows[0]?.lsn ?? null;
  if (lsn === null) throw new Error('it is no replica');
  return placeOf(lsn);
}

/** A number that a cluster and its copies share. */
const SYSTEM = 'SELECT system_identifier::text AS system FROM pg_control_system()';

/** @throws Error when the other one is not a copy of the primary's whole cluster */
async function expectReplicaOf(primary: Database, client: pg.Client): Promise<void> {
  const [ours, theirs] = await Promise.all([
    sql<{ system: string }>`${sql.raw(SYSTEM)}`.execute(primary),
    client.query<{ system: string }>(SYSTEM),
  ]);
  if (ours.rows[0]?.system !== theirs.rows[0]?.system)
    throw new Error('it is no replica of the database of DATABASE_URL');
}
