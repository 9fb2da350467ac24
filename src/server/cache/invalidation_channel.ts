/** Sends the tags of invalidated cache entries to our other servers, and receives theirs. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { type Database, LISTENER_NAME } from '#server/database/connect.ts';
import { type DedicatedConnection, keepConnected } from '#server/database/dedicated_connection.ts';
import { LSN_PATTERN, type Lsn, parseLsn } from '#server/database/lsn.ts';
import type { CacheStore } from './cache_store.ts';
import { coalesce } from './coalesce.ts';
import { parseJson } from './parse_json.ts';
import { toBatches } from './to_batches.ts';

/** An invalidation as our servers send it to each other over PostgreSQL `NOTIFY`. */
const Message = z.object({
  /** The random id of the sending server, or of a probe: a message without tags to test LISTEN. */
  from: z.string(),
  tags: z.array(z.string()),
  /** The position of the end of the primary's write-ahead log when the message was sent. */
  lsn: z.string().check(z.regex(LSN_PATTERN)),
});

interface PublisherOptions {
  readonly database: Database;
  readonly log: Logger;
}

interface ChannelOptions extends PublisherOptions {
  /** The connection URL of `database`, for the connection that listens. */
  readonly url: string;
  /** Is disabled while invalidations of other servers cannot be received. */
  readonly cache: Pick<CacheStore, 'invalidate' | 'enable' | 'disable'>;
}

/** Servers of different versions notify each other, so this name must not change. */
const CHANNEL = 'linework_clears';
/** A PostgreSQL notification must be shorter than 8000 bytes; a tag takes about 50. */
const MAX_TAGS_PER_MESSAGE = 100;
const HEARTBEAT_MS = 1000;
/** A connection that does not answer within this time counts as lost. */
const TIMEOUT_MS = 2000;
/** A notification arrives within milliseconds, or never. */
const PROBE_TIMEOUT_MS = 5000;
/** How long to wait before connecting again. */
const RECONNECT_MS = 200;
/** How long to wait before sending a message again. */
const RETRY_MS = 500;

/**
 * Sends invalidations to the other servers, and listens for theirs. Reconnects after each loss of
 * the connection. Resolved after the first attempt to connect.
 */
export async function openInvalidationChannel({ database, url, cache, log }: ChannelOptions) {
  const serverId = randomUUID();
  let isListening = false;
  let highestLsn: Lsn = 0n;
  const raiseHighestLsn = (text: string) => {
    const lsn = parseLsn(text);
    if (lsn > highestLsn) highestLsn = lsn;
  };
  const publisher = createPublisher({ database, log }, serverId, raiseHighestLsn);
  const connection = keepConnected({
    url,
    applicationName: LISTENER_NAME,
    timeoutMs: TIMEOUT_MS,
    reconnectMs: RECONNECT_MS,
    use: listen,
    onLost() {
      isListening = false;
      // After a failover, the log of the new primary may continue at a lower position.
      highestLsn = 0n;
      cache.disable();
    },
    log: log.child({ component: 'Invalidation' }),
    messages: {
      lost: 'Page cache disabled: LISTEN connection lost',
      restored: 'Page cache enabled: LISTEN connection restored',
    },
  });
  await connection.attempted;

  async function listen(
    { client, lost, fail }: DedicatedConnection,
    ready: () => void,
    signal: AbortSignal,
  ): Promise<void> {
    const probeId = randomUUID();
    const probeReceived = Promise.withResolvers<true>();
    client.on('notification', ({ payload }) => {
      const message = parseJson(Message, payload ?? '');
      // Another version may send other messages. After `fail`, `onLost` empties the cache.
      if (!message) return fail(new Error('A message was not understood'));
      if (message.from === probeId) probeReceived.resolve(true);
      raiseHighestLsn(message.lsn);
      // This server invalidates its own tags before it publishes them.
      if (message.from !== serverId) cache.invalidate(message.tags);
    });
    await client.query(`LISTEN ${CHANNEL}`);
    // The probe shows that notifications arrive: a pooler such as PgBouncer may accept LISTEN and
    // deliver nothing. The probe's `lsn` covers changes before LISTEN, whose messages we missed.
    await Promise.race([lost, notify(database, probeId, [])]);
    const timeout = sleep(PROBE_TIMEOUT_MS, false as const, { ref: false });
    const isProbeReceived = await Promise.race([lost, probeReceived.promise, timeout]);
    if (!isProbeReceived)
      throw new Error('LISTEN receives nothing; is there a pooler in transaction mode?');
    isListening = true;
    cache.enable();
    ready();
    while (!signal.aborted) {
      await Promise.race([lost, sleep(HEARTBEAT_MS, undefined, { signal })]);
      await Promise.race([lost, client.query('SELECT 1')]);
    }
  }

  return {
    publish: publisher.publish,
    /**
     * The highest known `lsn`: a replica may be read once it has replayed the log up to there.
     * Undefined while this server may miss messages of others, or has unsent messages, whose `lsn`
     * is not known yet. Then no replica may be read.
     */
    requiredLsn: (): Lsn | undefined =>
      isListening && publisher.hasSentAll() ? highestLsn : undefined,
    async stop() {
      await connection.stop();
      await publisher.stop();
    },
  };
}

/**
 * Sends invalidations only: for a program that serves no pages.
 * @param onSent receives the `lsn` of each message after it was sent
 */
export function createPublisher(
  { database, log }: PublisherOptions,
  serverId: string = randomUUID(),
  onSent: (lsn: string) => void = () => {},
) {
  let isStopped = false;
  const runningRetries = new Set<Promise<void>>();

  async function send(tags: readonly string[]): Promise<void> {
    for (const messageTags of toBatches(tags, MAX_TAGS_PER_MESSAGE))
      onSent(await notify(database, serverId, messageTags));
  }

  async function retryUntilSent(tags: readonly string[]): Promise<void> {
    while (!isStopped) {
      await sleep(RETRY_MS);
      try {
        return await send(tags);
      } catch {
        // Only the first failure is logged.
      }
    }
    log.error(
      { component: 'Invalidation', tags },
      'Never sent (other servers may serve old pages with these tags)',
    );
  }

  // Sends one batch at a time; tags that are published meanwhile form the next batch.
  const publishQueue = coalesce(async (tags) => {
    try {
      await send(tags);
    } catch (error) {
      log.error(
        { err: error, component: 'Invalidation' },
        `Notifying other servers failed (retrying every ${RETRY_MS} ms)`,
      );
      const retry = retryUntilSent(tags).finally(() => runningRetries.delete(retry));
      runningRetries.add(retry);
    }
  });

  return {
    /** Resolved after the first attempt to send; a failed attempt is repeated in the background. */
    publish: (tags: readonly string[]) => publishQueue.add(tags),
    /** Whether all published tags have been sent. */
    hasSentAll: () => publishQueue.isIdle() && runningRetries.size === 0,
    /** Waits for messages that are being sent; retries earlier failed ones at most once more. */
    async stop(): Promise<void> {
      isStopped = true;
      await publishQueue.whenIdle();
      await Promise.all(runningRetries);
    },
  };
}

/** Sends a message to all servers, and returns its `lsn`. */
async function notify(database: Database, from: string, tags: readonly string[]): Promise<string> {
  // The commit stores no data, so it need not wait for the disk. `true`: for this transaction only.
  const { rows } = await sql<{ lsn: string }>`
    SELECT set_config('synchronous_commit', 'off', true), pg_current_wal_insert_lsn() AS lsn,
      pg_notify(${CHANNEL}, json_build_object('from', ${from}::text, 'tags', ${tags}::text[],
        'lsn', pg_current_wal_insert_lsn())::text)
  `.execute(database);
  const [row] = rows;
  if (!row) throw new Error('NOTIFY returned no row');
  return row.lsn;
}
