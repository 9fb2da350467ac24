import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from '#server/database/connect.ts';
import { type DedicatedConnection, keepConnected } from '#server/database/dedicated_connection.ts';
import { LSN_PATTERN, type Lsn, parseLsn } from '#server/database/lsn.ts';
import { coalesce } from './coalesce.ts';

/** An invalidation as servers send it to each other over PostgreSQL `NOTIFY`. */
const Message = z.object({
  /** The server that sent it. */
  from: z.string(),
  tags: z.array(z.string()),
  /** Position in the primary's write-ahead log after the change. */
  lsn: z.string().check(z.regex(LSN_PATTERN)),
});

/** Sends invalidations to the other servers. */
export interface InvalidationPublisher {
  /** Resolved when the message was sent, or will be sent later because the database failed. */
  publish(tags: readonly string[]): Promise<void>;
  /** Waits for messages that are not sent yet; gives up those that fail again. */
  stop(): Promise<void>;
}

/** Sends and receives invalidations. */
export interface InvalidationChannel extends InvalidationPublisher {
  /**
   * Position in the primary's log after the last known invalidation; a replica must have replayed
   * it before it may be read. Undefined while invalidations may be missing.
   */
  requiredLsn(): Lsn | undefined;
}

/** A cache that other servers invalidate; it is disabled while their messages cannot be received. */
interface LocalCache {
  invalidate(tags: readonly string[]): void;
  enable(): void;
  disable(): void;
}

interface PublisherOptions {
  readonly database: Database;
  readonly log: (line: string) => void;
}

interface ChannelOptions extends PublisherOptions {
  /** Address of the same database, for one connection that listens. */
  readonly url: string;
  readonly cache: LocalCache;
}

/** Servers of all versions use this name. */
const CHANNEL = 'linework_clears';
/** A PostgreSQL notification holds 8000 bytes at most. */
const MAX_TAGS_PER_MESSAGE = 100;
/** A connection that does not answer within the timeout is lost. */
const HEARTBEAT_MS = 1000;
const TIMEOUT_MS = 2000;
/** Notifications arrive within milliseconds. One that has not arrived by now never will. */
const PROBE_TIMEOUT_MS = 5000;
const RECONNECT_MS = 200;
const RETRY_MS = 500;

/**
 * Listens for the invalidations of other servers, and reconnects whenever the connection is lost.
 * Resolved after the first attempt to connect.
 */
export async function openInvalidationChannel({
  database,
  url,
  cache,
  log,
}: ChannelOptions): Promise<InvalidationChannel> {
  const self = randomUUID();
  let isListening = false;
  let lastLsn: Lsn = 0n;
  const raiseLsn = (text: string) => {
    const lsn = parseLsn(text);
    if (lsn > lastLsn) lastLsn = lsn;
  };
  const publisher = createRetryingPublisher({ database, log }, self, raiseLsn);
  const connection = keepConnected({
    url,
    applicationName: 'linework listener',
    timeoutMs: TIMEOUT_MS,
    reconnectMs: RECONNECT_MS,
    use: listen,
    onLost() {
      isListening = false;
      // After a failover, the log of the new primary may continue at a lower position.
      lastLsn = 0n;
      cache.disable();
    },
    log,
    messages: {
      lost: 'Page cache disabled: LISTEN connection lost',
      restored: 'Page cache enabled: LISTEN connection restored.',
    },
  });
  await connection.attempted;

  async function listen(
    { client, lost, fail }: DedicatedConnection,
    ready: () => void,
    signal: AbortSignal,
  ): Promise<void> {
    const probeId = randomUUID();
    const probe = Promise.withResolvers<true>();
    client.on('notification', ({ payload }) => {
      const message = parseMessage(payload ?? '');
      // Perhaps from another version. Its tags are unknown, so nothing may stay in the cache.
      if (!message) return fail(new Error('A message was not understood'));
      if (message.from === probeId) probe.resolve(true);
      raiseLsn(message.lsn);
      // Our own tags were invalidated before they were published.
      if (message.from !== self) cache.invalidate(message.tags);
    });
    await client.query(`LISTEN ${CHANNEL}`);
    // Sent over a pooled connection: a pooler in transaction mode accepts LISTEN and delivers
    // nothing. The probe also brings the position of changes that were made before we listened.
    await Promise.race([lost, notify(database, probeId, [])]);
    const timeout = pause(PROBE_TIMEOUT_MS, false as const, { ref: false });
    if (!(await Promise.race([lost, probe.promise, timeout])))
      throw new Error('LISTEN receives nothing; is there a pooler in transaction mode?');
    isListening = true;
    cache.enable();
    ready();
    while (!signal.aborted) {
      await Promise.race([lost, pause(HEARTBEAT_MS, undefined, { signal })]);
      await Promise.race([lost, client.query('SELECT 1')]);
    }
  }

  return {
    publish: publisher.publish,
    requiredLsn: () => (isListening && publisher.isUpToDate() ? lastLsn : undefined),
    async stop() {
      await connection.stop();
      await publisher.stop();
    },
  };
}

/** For a program that serves no pages: only sends invalidations. */
export function createPublisher(options: PublisherOptions): InvalidationPublisher {
  return createRetryingPublisher(options, randomUUID());
}

interface RetryingPublisher extends InvalidationPublisher {
  /** Whether all published tags were sent. */
  isUpToDate(): boolean;
}

/** @param onSent receives the position in the primary's log after each message */
function createRetryingPublisher(
  { database, log }: PublisherOptions,
  self: string,
  onSent: (lsn: string) => void = () => {},
): RetryingPublisher {
  let isStopped = false;
  let unsentBatches = 0;
  const retries = new Set<Promise<void>>();

  async function send(tags: readonly string[]): Promise<void> {
    for (let first = 0; first < tags.length; first += MAX_TAGS_PER_MESSAGE)
      onSent(await notify(database, self, tags.slice(first, first + MAX_TAGS_PER_MESSAGE)));
    unsentBatches -= 1;
  }

  async function sendLater(tags: readonly string[]): Promise<void> {
    while (!isStopped) {
      await pause(RETRY_MS);
      try {
        return await send(tags);
      } catch {
        // The first failure was logged.
      }
    }
    log(`Invalidation: other servers may serve old pages of ${tags.join(', ')}: never sent`);
  }

  const batches = coalesce(async (tags) => {
    unsentBatches += 1;
    try {
      await send(tags);
    } catch (error) {
      log(
        `Invalidation: telling other servers failed (trying again every ${RETRY_MS} ms): ${error}`,
      );
      const retry = sendLater(tags).finally(() => retries.delete(retry));
      retries.add(retry);
    }
  });

  return {
    publish: (tags) => batches.add(tags),
    isUpToDate: () => unsentBatches === 0 && batches.isIdle(),
    async stop() {
      isStopped = true;
      await batches.idle();
      await Promise.all(retries);
    },
  };
}

function parseMessage(payload: string): z.output<typeof Message> | undefined {
  try {
    return z.safeParse(Message, JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}

/** Sends a message to all servers; answers the position in the primary's log by then. */
async function notify(database: Database, from: string, tags: readonly string[]): Promise<string> {
  // Nothing is written, so the commit need not wait for the disk.
  const { rows } = await sql<{ lsn: string }>`
    SELECT set_config('synchronous_commit', 'off', true), pg_current_wal_insert_lsn() AS lsn,
      pg_notify(${CHANNEL}, json_build_object('from', ${from}::text, 'tags', ${tags}::text[],
        'lsn', pg_current_wal_insert_lsn())::text)
  `.execute(database);
  const [row] = rows;
  if (!row) throw new Error('NOTIFY answered no row');
  return row.lsn;
}
