import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { parseCachePolicy, surrogateControl } from '#cache/policy.ts';
import type { Instant } from '#domain/time/time.ts';
import type { CacheOutcome } from '#server/metrics/metrics.ts';
import type { CacheEntry, CacheStore, RenderTicket } from './cache_store.ts';
import type { CdnHeaders } from './cdn/cdn_adapter.ts';
import {
  COMPRESSIONS,
  type Compression,
  type EncodedResponse,
  encodeResponse,
  type RenderedResponse,
} from './encoded_response.ts';
import { negotiateEncoding, sendResponse } from './send_response.ts';

/** Renders the response of one address. */
export type Render = () => Promise<RenderedResponse>;

/** Receives facts about a response when it is sent, for logs and metrics. */
export interface ResponseRecord {
  route: string;
  /** The outcome in the cache; unset until the cache has sent the response. */
  cache?: CacheOutcome;
}

/** How a GET or HEAD request is answered. */
export interface SharedRead {
  /** Undefined when the response must be neither shared nor stored. */
  readonly key: string | undefined;
  readonly render: Render;
}

export type HttpCache = ReturnType<typeof createHttpCache>;

/** Includes redirects, because the page of an unknown artist redirects to `/404`. */
const CACHEABLE_STATUSES = new Set([200, 301, 302, 308]);
/** In the words of `Cache-Status`: the response could not be shared. */
const BYPASS = 'fwd=bypass';
/** The `Surrogate-Control` of a response that CDNs must not store. */
const NO_STORE = 'no-store';

interface RenderResult {
  readonly encoded: EncodedResponse;
  /** `Surrogate-Control` for CDNs; undefined when status or headers forbid caching. */
  readonly surrogate: string | undefined;
  readonly isStored: boolean;
}

/** Renders responses and stores the cacheable ones, each key once at a time. */
function createRenders(store: CacheStore, clock: () => Instant) {
  const runningRenders = new Map<
    string,
    { ticket: RenderTicket; pending: Promise<RenderResult> }
  >();

  /**
   * @param compressions the encodings to prepare in addition to the uncompressed body
   * @param ticket from `store.startRender`; this function calls `endRender`
   */
  async function renderAndStore(
    key: string | undefined,
    render: Render,
    compressions: readonly Compression[],
    ticket: RenderTicket,
  ): Promise<RenderResult> {
    const startedAt = clock();
    try {
      const rendered = await render();
      const encoded = await encodeResponse(rendered, compressions);
      const policy =
        CACHEABLE_STATUSES.has(rendered.status) && !rendered.headers.has('set-cookie')
          ? parseCachePolicy(rendered.headers)
          : undefined;
      if (!policy) {
        // The stored response is outdated, but stays after a server error, which may be temporary.
        if (key !== undefined && rendered.status < 500) store.delete(key);
        return { encoded, surrogate: undefined, isStored: false };
      }
      // `swr` is stale-while-revalidate, in seconds.
      const { maxAge, swr, tags } = policy;
      // Without a key, or with a tag invalidated during the render: no cache may store it.
      if (key === undefined || !store.isStorable(ticket, tags))
        return { encoded, surrogate: NO_STORE, isStored: false };
      const freshUntil = startedAt + maxAge * 1000;
      const entry = { ...encoded, tags, freshUntil, staleUntil: freshUntil + swr * 1000 };
      // CDNs may store the response even when our store is disabled or too small.
      const isStored = store.set(key, entry, ticket);
      return { encoded, surrogate: surrogateOf(entry, clock()), isStored };
    } finally {
      store.endRender(ticket);
    }
  }

  /** Joins the key's running render if nothing was invalidated since its start; else starts one. */
  function joinOrRender(
    key: string,
    render: Render,
  ): { pending: Promise<RenderResult>; hasJoined: boolean } {
    const running = runningRenders.get(key);
    if (running && store.isJoinable(running.ticket))
      return { pending: running.pending, hasJoined: true };
    const ticket = store.startRender();
    const pending = renderAndStore(key, render, COMPRESSIONS, ticket).finally(() => {
      // A later render may have replaced this one.
      if (runningRenders.get(key)?.ticket === ticket) runningRenders.delete(key);
    });
    runningRenders.set(key, { ticket, pending });
    return { pending, hasJoined: false };
  }

  return { renderAndStore, joinOrRender };
}

/** The headers that the cache adds to what was rendered: its own, and those for CDNs. */
function createAddedHeaders(cdnHeaders: CdnHeaders) {
  /** The headers that were added to the latest hit of each entry. */
  const latestHits = new WeakMap<CacheEntry, { secondsLeft: number; headers: readonly string[] }>();

  /** @param outcome in the words of `Cache-Status` (RFC 9211) */
  function headersToAdd(
    { notModifiedHeaders }: EncodedResponse,
    surrogate: string | undefined,
    outcome: string,
  ): readonly string[] {
    const headers = ['cache-status', `Linework; ${outcome}`];
    if (surrogate !== undefined)
      headers.push('surrogate-control', surrogate, ...cdnHeaders(surrogate, notModifiedHeaders));
    return headers;
  }

  /** The headers with the age of an entry; they change once a second. */
  function hitHeaders(entry: CacheEntry, now: Instant): readonly string[] {
    const secondsLeft = Math.floor((entry.freshUntil - now) / 1000);
    const latest = latestHits.get(entry);
    if (latest?.secondsLeft === secondsLeft) return latest.headers;
    const headers = headersToAdd(entry, surrogateOf(entry, now), `hit; ttl=${secondsLeft}`);
    latestHits.set(entry, { secondsLeft, headers });
    return headers;
  }

  return { headersToAdd, hitHeaders };
}

/**
 * Serves GET and HEAD requests from the store, or renders responses and stores cacheable ones.
 * @param cdnHeaders returns headers for CDNs, in addition to `Surrogate-Control` and `Cache-Tag`
 */
export function createHttpCache(
  store: CacheStore,
  clock: () => Instant,
  log: Logger,
  cdnHeaders: CdnHeaders = () => [],
) {
  const { renderAndStore, joinOrRender } = createRenders(store, clock);
  const { headersToAdd, hitHeaders } = createAddedHeaders(cdnHeaders);
  const revalidatingKeys = new Set<string>();

  function revalidate(key: string, render: Render): void {
    if (revalidatingKeys.has(key)) return;
    revalidatingKeys.add(key);
    joinOrRender(key, render)
      .pending.catch((error: unknown) =>
        log.error(
          { err: error, component: 'Page cache' },
          'Revalidation failed (the stale page stays)',
        ),
      )
      .finally(() => revalidatingKeys.delete(key));
  }

  function sendRendered(
    response: ServerResponse,
    { encoded, surrogate }: RenderResult,
    outcome: string,
    record: ResponseRecord,
  ): void {
    const isBypass = surrogate === undefined || outcome === BYPASS;
    noteResponse(record, encoded, isBypass ? 'bypass' : 'miss');
    sendResponse(response, encoded, {
      // An uncacheable response may set cookies, which a 304 response would lack.
      allow304: surrogate !== undefined,
      addedHeaders: headersToAdd(encoded, surrogate, outcome),
    });
  }

  return {
    /**
     * Serves the stored response of a key if it is fresh.
     * @param headers to add; names and values alternate
     * @returns false when none is stored, and so none was sent
     */
    serveFresh(
      response: ServerResponse,
      { key }: SharedRead,
      record: ResponseRecord,
      headers: readonly string[],
    ): boolean {
      const now = clock();
      const entry = key === undefined ? undefined : store.get(key, now);
      if (key === undefined || !entry || now >= entry.freshUntil) return false;
      noteResponse(record, entry, 'hit');
      const encoding = sendResponse(response, entry, {
        addedHeaders: hitHeaders(entry, now).concat(headers),
      });
      if (encoding === 'identity') store.notePlainHit(key, entry);
      return true;
    },
    /** Serves a stale response, which is rendered again meanwhile. Call it after `serveFresh`, in the same turn. */
    serveStale(
      response: ServerResponse,
      { key, render }: SharedRead,
      record: ResponseRecord,
      headers: readonly string[],
    ): boolean {
      const now = clock();
      const entry = key === undefined ? undefined : store.get(key, now);
      if (key === undefined || !entry) return false;
      revalidate(key, render);
      noteResponse(record, entry, 'stale');
      sendResponse(response, entry, { addedHeaders: hitHeaders(entry, now).concat(headers) });
      return true;
    },
    /** Renders and sends a response. Concurrent requests for one key share one render. */
    async renderAndSend(
      response: ServerResponse,
      { key, render }: SharedRead,
      record: ResponseRecord,
    ): Promise<void> {
      if (key === undefined) {
        const encoding = negotiateEncoding(response.req.headers['accept-encoding']);
        const compressions = encoding === 'identity' ? [] : [encoding];
        const ticket = store.startRender();
        const result = await renderAndStore(undefined, render, compressions, ticket);
        sendRendered(response, result, BYPASS, record);
        return;
      }
      const { pending, hasJoined } = joinOrRender(key, render);
      const result = await pending;
      const suffix = hasJoined ? '; collapsed' : result.isStored ? '; stored' : '';
      sendRendered(response, result, `fwd=uri-miss${suffix}`, record);
    },
  };
}

function noteResponse(
  record: ResponseRecord,
  { route }: EncodedResponse,
  cache: CacheOutcome,
): void {
  record.cache = cache;
  if (route !== undefined) record.route = route;
}

/** The `Surrogate-Control` of an entry that is sent at `now`. */
function surrogateOf({ freshUntil, staleUntil }: CacheEntry, now: Instant): string {
  const maxAge = Math.max(0, Math.floor((freshUntil - now) / 1000));
  return surrogateControl(maxAge, Math.floor((staleUntil - freshUntil) / 1000));
}
