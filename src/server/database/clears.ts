import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from './connect.ts';
import { type LogPlace, PLACE, placeOf } from './log_place.ts';
import { watchConnection } from './watched_connection.ts';

/** A clear, as servers tell it to each other. */
const Clear = z.object({
  /** The server that it comes from. */
  from: z.string(),
  tags: z.array(z.string()),
  /** Where the primary's log was once the change was in it. */
  lsn: z.string().check(z.regex(PLACE)),
});

/** Tells other servers what to clear, and hears it from them. */
export interface Clears {
  /** Clears here at once, and tells the others; resolved when they have been told. */
  clear(tags: readonly string[]): Promise<void>;
  /**
   * Where the primary's log was after the last change that was cleared; undefined while there may
   * be changes that we do not know of, or not their place.
   */
  upTo(): LogPlace | undefined;
  /** Hears nothing more, and waits for what is still to be told. */
  stop(): Promise<void>;
}

/** What keeps pages, and must hear of every change or keep none. */
interface Listener {
  clear(tags: readonly string[]): void;
  /** Changes are heard from now on. */
  open(): void;
  /** Changes are not heard any more. */
  close(): void;
}

export interface ClearsOptions {
  readonly database: Database;
  /** Of the same database; one connection of its own listens. */
  readonly url: string;
  readonly cache: Listener;
  readonly log: (line: string) => void;
}

const CHANNEL = 'linework_clears';
/** PostgreSQL carries 8000 bytes at most. */
const TAGS_A_MESSAGE = 100;
/** A connection that says nothing for so long is lost, whatever the network says. */
const BEAT_MS = 1000;
const SILENT_MS = 2000;
/** What is told arrives in a few milliseconds; one that has not by now never will. */
const HEARD_MS = 5000;
const RECONNECT_MS = 200;
const TELL_AGAIN_MS = 500;

/** Listens, and listens again whenever that breaks; resolved after the first try. */
export async function openClears(options: ClearsOptions): Promise<Clears> {
  const { cache, log } = options;
  const self = randomUUID();
  const stopping = new AbortController();
  let isHearing = false;
  let knownUpTo: LogPlace = 0n;
  const know = (lsn: string) => {
    const place = placeOf(lsn);
    if (place > knownUpTo) knownUpTo = place;
  };
  const teller = createTeller(options, self, know);
  const tried = Promise.withResolvers<void>();
  const listening = listenForGood();
  await tried.promise;

  async function listenForGood(): Promise<void> {
    let isTold = false;
    while (!stopping.signal.aborted) {
      try {
        await listenOnce(() => {
          if (isTold) log('Changes of other servers are heard again.');
          isTold = false;
          tried.resolve();
        });
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (!isTold) log(`Changes of other servers are not heard; no page is kept: ${error}`);
        isTold = true;
      } finally {
        isHearing = false;
        // Another primary may have taken over, whose log goes on from an earlier place.
        knownUpTo = 0n;
        cache.close();
        tried.resolve();
      }
      await pause(RECONNECT_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** Listens until the connection breaks, or we stop. */
  async function listenOnce(heard: () => void): Promise<void> {
    await using connection = watchConnection(options.url, 'linework listener', SILENT_MS);
    const { client, lost, lose } = connection;
    const probed = Promise.withResolvers<void>();
    const probe = randomUUID();
    client.on('notification', ({ payload }) => {
      const clear = readClear(payload ?? '');
      // Of another version, perhaps: what it cleared is not known, so nothing may stay.
      if (!clear) return lose(new Error('A message was not understood'));
      if (clear.from === probe) probed.resolve();
      know(clear.lsn);
      // What is our own was cleared before it was told.
      if (clear.from !== self) cache.clear(clear.tags);
    });
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
    // Over another connection: a pooler between us may take LISTEN and hand out nothing. What was
    // changed while nobody listened is before its place.
    await Promise.race([lost, notify(options.database, probe, [])]);
    const isHeard = probed.promise.then(() => true);
    if (!(await Promise.race([lost, isHeard, pause(HEARD_MS, false, { ref: false })])))
      throw new Error('LISTEN brings nothing; is there a pooler in transaction mode?');
    isHearing = true;
    cache.open();
    heard();
    while (!stopping.signal.aborted) {
      await Promise.race([lost, pause(BEAT_MS, undefined, { signal: stopping.signal })]);
      await Promise.race([lost, client.query('SELECT 1')]);
    }
  }

  return {
    async clear(tags) {
      if (tags.length === 0) return;
      cache.clear(tags);
      await teller.tell(tags);
    },
    upTo: () => (isHearing && !teller.isTelling() ? knownUpTo : undefined),
    async stop() {
      stopping.abort();
      await listening;
      await teller.stop();
    },
  };
}

function readClear(payload: string): z.output<typeof Clear> | undefined {
  try {
    return z.safeParse(Clear, JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}

interface Teller {
  tell(tags: readonly string[]): Promise<void>;
  /** Whether others are still to be told of something. */
  isTelling(): boolean;
  stop(): Promise<void>;
}

/**
 * For a program that keeps no pages: tells the servers what it changed.
 * @param told hears where the primary's log was by then
 */
export function createTeller(
  { database, log }: Pick<ClearsOptions, 'database' | 'log'>,
  self: string = randomUUID(),
  told: (lsn: string) => void = () => {},
): Teller {
  let waiting = new Set<string>();
  let next: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  let isStopped = false;
  let untold = 0;
  const late = new Set<Promise<void>>();

  async function send(tags: readonly string[]): Promise<void> {
    told(await notify(database, self, tags));
  }

  async function sendAll(tags: readonly string[]): Promise<void> {
    for (let first = 0; first < tags.length; first += TAGS_A_MESSAGE)
      await send(tags.slice(first, first + TAGS_A_MESSAGE));
  }

  async function sendLate(tags: readonly string[]): Promise<void> {
    while (!isStopped) {
      await pause(TELL_AGAIN_MS);
      try {
        await sendAll(tags);
        untold -= 1;
        return;
      } catch {
        // Told of already.
      }
    }
    log(`Other servers were not told of changes: ${tags.join(', ')}`);
  }

  /** What comes while one message is under way goes with the next. */
  function sendNext(): Promise<void> {
    if (next === undefined) untold += 1;
    next ??= last.then(async () => {
      const tags = [...waiting];
      waiting = new Set();
      next = undefined;
      try {
        await sendAll(tags);
        untold -= 1;
      } catch (error) {
        // The change itself is made; the others hear of it as soon as they can be told.
        log(`Other servers are told later what changed: ${error}`);
        const sent = sendLate(tags).finally(() => late.delete(sent));
        late.add(sent);
      }
    });
    last = next;
    return next;
  }

  return {
    tell(tags) {
      for (const tag of tags) waiting.add(tag);
      return sendNext();
    },
    isTelling: () => untold > 0,
    async stop() {
      isStopped = true;
      await last;
      await Promise.all(late);
    },
  };
}

/** Tells all servers of a clear; answers where the primary's log is by then. */
async function notify(database: Database, from: string, tags: readonly string[]): Promise<string> {
  // Nothing is written, so nothing is to be waited for on the disk.
  const { rows } = await sql<{ lsn: string }>`
    SELECT set_config('synchronous_commit', 'off', true), pg_current_wal_insert_lsn() AS lsn,
      pg_notify(${CHANNEL}, json_build_object('from', ${from}::text, 'tags', ${tags}::text[],
        'lsn', pg_current_wal_insert_lsn())::text)
  `.execute(database);
  const [row] = rows;
  if (!row) throw new Error('A clear was not told');
  return row.lsn;
}
