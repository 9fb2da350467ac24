import { LRUCache } from 'lru-cache';
import type { Instant } from '#domain/time/time.ts';
import { type EncodedResponse, withPlainBody } from './encoded_response.ts';

/** A stored response, its tags, and when it expires. */
export interface CacheEntry extends EncodedResponse {
  readonly tags: readonly string[];
  /** The entry is fresh before this instant. */
  readonly freshUntil: Instant;
  /** From `freshUntil` to this instant, a stale entry may be served while a new one is rendered. */
  readonly staleUntil: Instant;
}

/** Identifies one render, to detect at its end which tags were invalidated during the render. */
export interface RenderTicket {
  /** The number of invalidations before the render began. */
  readonly startedAfter: number;
}

/** Responses by cache key, in memory, limited in bytes; evicts the least recently used first. */
export type CacheStore = ReturnType<typeof createCacheStore>;

/** One entry takes at most this fraction of `maxBytes`. */
const MAX_ENTRY_FRACTION = 1 / 8;
/** Above this number, invalidated tags are forgotten, and no running render is storable. */
const MAX_REMEMBERED_TAGS = 1000;

/** The entries, and their keys by tag. */
function createEntries(maxBytes: number) {
  const keysByTag = new Map<string, Set<string>>();
  const entries = new LRUCache<string, CacheEntry>({
    // `lru-cache` takes 0 as unlimited; no entry fits in 1 byte.
    maxSize: Math.max(1, maxBytes),
    maxEntrySize: Math.max(1, Math.floor(maxBytes * MAX_ENTRY_FRACTION)),
    // A key has 2 bytes per character.
    sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length,
    // Called for each entry that is deleted, evicted or replaced.
    dispose(entry, key) {
      for (const tag of entry.tags) {
        const keys = keysByTag.get(tag);
        keys?.delete(key);
        if (keys?.size === 0) keysByTag.delete(tag);
      }
    },
  });

  /** @returns whether it was stored */
  const setEntry = (key: string, entry: CacheEntry) => {
    entries.set(key, entry);
    // `lru-cache` drops an entry that is too large.
    if (!entries.has(key)) return false;
    // After `entries.set`: the `dispose` of a replaced entry removes the key from its tags.
    for (const tag of entry.tags) {
      const keys = keysByTag.get(tag);
      if (keys) keys.add(key);
      else keysByTag.set(tag, new Set([key]));
    }
    return true;
  };

  return { entries, keysByTag, setEntry };
}

/** Creates a store of at most `maxBytes` (0: stores nothing); it is disabled until `enable`. */
export function createCacheStore(maxBytes: number) {
  const { entries, keysByTag, setEntry } = createEntries(maxBytes);
  /** How often each entry was sent uncompressed. */
  const plainHits = new WeakMap<CacheEntry, number>();
  let isEnabled = false;
  let invalidationCount = 0;
  /** Only renders that began after at least this many invalidations are storable. */
  let storableAfter = 0;
  /** `invalidationCount` at each tag's last invalidation; filled only while a render runs. */
  const invalidationByTag = new Map<string, number>();
  const runningRenders = new Set<RenderTicket>();

  /** Whether the response may be stored: none of its tags was invalidated during the render. */
  const isStorable = ({ startedAfter }: RenderTicket, tags: readonly string[]) =>
    startedAfter >= storableAfter &&
    tags.every((tag) => startedAfter >= (invalidationByTag.get(tag) ?? 0));

  const deleteAll = () => {
    invalidationCount += 1;
    storableAfter = invalidationCount;
    entries.clear();
  };

  return {
    /** The entry of a key; undefined when there is none that may be served at `now`. */
    get(key: string, now: Instant): CacheEntry | undefined {
      const entry = entries.get(key);
      if (entry === undefined || now < entry.staleUntil) return entry;
      entries.delete(key);
      return undefined;
    },
    /** Call before a render begins. */
    startRender(): RenderTicket {
      const ticket = { startedAfter: invalidationCount };
      runningRenders.add(ticket);
      return ticket;
    },
    /** Call once for each `startRender`, after `isStorable` and `set`; also when the render fails. */
    endRender(ticket: RenderTicket): void {
      runningRenders.delete(ticket);
      if (runningRenders.size === 0) invalidationByTag.clear();
    },
    /** Whether a new request may share this render: nothing was invalidated since it began. */
    isJoinable: ({ startedAfter }: RenderTicket) => startedAfter === invalidationCount,
    isStorable,
    /**
     * Stores an entry if it is storable, not too large and the store is enabled.
     * @returns whether it was stored
     */
    set(key: string, entry: CacheEntry, ticket: RenderTicket): boolean {
      if (!isEnabled || !isStorable(ticket, entry.tags)) return false;
      return setEntry(key, entry);
    },
    /**
     * Call after the entry of a key was sent uncompressed. The second time, its uncompressed body is
     * stored too, if it fits. Not the first time: a robot reads each page once.
     */
    notePlainHit(key: string, entry: CacheEntry): void {
      if (entry.variants.identity.isStored || entries.peek(key) !== entry) return;
      const hits = (plainHits.get(entry) ?? 0) + 1;
      plainHits.set(entry, hits);
      // `lru-cache` drops an entry that is too large.
      if (hits === 2 && !setEntry(key, withPlainBody(entry))) setEntry(key, entry);
    },
    delete: (key: string) => entries.delete(key),
    /** Deletes all entries with any of these tags. */
    invalidate(tags: readonly string[]): void {
      invalidationCount += 1;
      if (invalidationByTag.size > MAX_REMEMBERED_TAGS) {
        invalidationByTag.clear();
        storableAfter = invalidationCount;
      }
      for (const tag of tags) {
        if (runningRenders.size > 0) invalidationByTag.set(tag, invalidationCount);
        // Iterates over a copy, as `dispose` deletes from the set.
        for (const key of [...(keysByTag.get(tag) ?? [])]) entries.delete(key);
      }
    },
    /** Deletes everything, and stores nothing until `enable`. */
    disable(): void {
      isEnabled = false;
      deleteAll();
    },
    /** Deletes everything; from now on stores responses, but only of renders that begin later. */
    enable(): void {
      isEnabled = true;
      // Renders that began while the store was disabled may miss invalidations.
      deleteAll();
    },
    /** Approximate size of all stored bodies, headers and keys. */
    get bytes(): number {
      return entries.calculatedSize;
    },
    /** The number of stored responses. */
    get size(): number {
      return entries.size;
    },
    get isEnabled(): boolean {
      return isEnabled;
    },
  };
}
