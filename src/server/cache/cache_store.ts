import { LRUCache } from 'lru-cache';
import type { Instant } from '#domain/time.ts';
import type { EncodedResponse } from './encoded_response.ts';

/** A stored response and its times. */
export interface CacheEntry extends EncodedResponse {
  readonly tags: readonly string[];
  /** The entry is fresh before this instant. */
  readonly freshUntil: Instant;
  /** Before this instant a stale entry may be served while it is rendered again. */
  readonly staleUntil: Instant;
}

/** Identifies one render, so that invalidations during the render can be seen afterwards. */
interface RenderTicket {
  /** The number of the last invalidation before the render began. */
  readonly startedAfter: number;
}

/** Responses by cache key, in memory, limited in bytes; the least recently used are evicted first. */
export interface CacheStore {
  /** The entry of a key; undefined when there is none that may be served at `now`. */
  get(key: string, now: Instant): CacheEntry | undefined;
  /** Call before a render begins; `endRender` must follow. */
  startRender(): RenderTicket;
  endRender(ticket: RenderTicket): void;
  /** Whether a new request may share this render: nothing was invalidated since it began. */
  isJoinable(ticket: RenderTicket): boolean;
  /** Whether the response of this render may be stored: none of its tags was invalidated meanwhile. */
  isStorable(ticket: RenderTicket, tags: readonly string[]): boolean;
  /**
   * Stores an entry if it is storable, not too large and the store is enabled.
   * @returns whether it was stored
   */
  set(key: string, entry: CacheEntry, ticket: RenderTicket): boolean;
  delete(key: string): void;
  /** Deletes all entries with any of these tags. */
  invalidate(tags: readonly string[]): void;
  /** Deletes everything, and stores nothing until `enable`. */
  disable(): void;
  /** Deletes everything, and stores the responses of renders that begin from now on. */
  enable(): void;
  /** Size of all stored bodies, headers and keys. */
  readonly bytes: number;
}

/** One entry takes at most this share of the memory. */
const MAX_ENTRY_SHARE = 1 / 8;
const MAX_REMEMBERED_TAGS = 1000;

/** A disabled store of at most `maxBytes`; with 0 it never stores anything. */
export function createCacheStore(maxBytes: number): CacheStore {
  const keysByTag = new Map<string, Set<string>>();
  const entries = new LRUCache<string, CacheEntry>({
    // To the library, 0 means unlimited.
    maxSize: Math.max(1, maxBytes),
    maxEntrySize: Math.max(1, Math.floor(maxBytes * MAX_ENTRY_SHARE)),
    sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length,
    dispose(entry, key) {
      for (const tag of entry.tags) {
        const keys = keysByTag.get(tag);
        keys?.delete(key);
        if (keys?.size === 0) keysByTag.delete(tag);
      }
    },
  });
  let isEnabled = false;
  let invalidations = 0;
  /** No render that began before this invalidation is storable. */
  let oldestStorable = 0;
  /** Tags that were invalidated during a render: the number of their last invalidation. */
  const lastInvalidation = new Map<string, number>();
  const renders = new Set<RenderTicket>();

  const isStorable = ({ startedAfter }: RenderTicket, tags: readonly string[]) =>
    startedAfter >= oldestStorable &&
    tags.every((tag) => startedAfter >= (lastInvalidation.get(tag) ?? 0));

  const deleteAll = () => {
    invalidations += 1;
    oldestStorable = invalidations;
    entries.clear();
  };

  return {
    get(key, now) {
      const entry = entries.get(key);
      if (entry === undefined || now < entry.staleUntil) return entry;
      entries.delete(key);
      return undefined;
    },
    startRender() {
      const ticket = { startedAfter: invalidations };
      renders.add(ticket);
      return ticket;
    },
    endRender(ticket) {
      renders.delete(ticket);
      if (renders.size === 0) lastInvalidation.clear();
    },
    isJoinable: ({ startedAfter }) => startedAfter === invalidations,
    isStorable,
    set(key, entry, ticket) {
      if (!isEnabled || !isStorable(ticket, entry.tags)) return false;
      entries.set(key, entry);
      // The library drops an entry that is too large.
      if (!entries.has(key)) return false;
      for (const tag of entry.tags) {
        const keys = keysByTag.get(tag);
        if (keys) keys.add(key);
        else keysByTag.set(tag, new Set([key]));
      }
      return true;
    },
    delete: (key) => entries.delete(key),
    invalidate(tags) {
      invalidations += 1;
      if (lastInvalidation.size > MAX_REMEMBERED_TAGS) {
        lastInvalidation.clear();
        oldestStorable = invalidations;
      }
      for (const tag of tags) {
        if (renders.size > 0) lastInvalidation.set(tag, invalidations);
        for (const key of [...(keysByTag.get(tag) ?? [])]) entries.delete(key);
      }
    },
    disable() {
      isEnabled = false;
      deleteAll();
    },
    enable() {
      isEnabled = true;
      // Renders that began while the store was disabled may miss invalidations.
      deleteAll();
    },
    get bytes() {
      return entries.calculatedSize;
    },
  };
}
