import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseCachePolicy, surrogateControl } from '#cache/policy.ts';
import type { Instant } from '#domain/time.ts';
import type { CacheEntry, CacheStore } from './cache_store.ts';
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

/** Serves reads from the store, or renders them and stores what may be stored. */
export interface HttpCache {
  /**
   * Serves the stored response of a key. A stale one is served once more while it is rendered again.
   * @returns false when nothing is stored; then nothing was sent
   */
  serveCached(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    render: Render,
  ): boolean;
  /**
   * Renders and sends a response. Concurrent requests for one key share one render.
   * @param key undefined when the response is neither shared nor stored
   */
  render(
    request: IncomingMessage,
    response: ServerResponse,
    key: string | undefined,
    render: Render,
  ): Promise<void>;
}

/** Redirects are cached like pages: an unknown artist is a redirect. */
const CACHEABLE_STATUSES = new Set([200, 301, 302, 308]);
/** Tells caches in front of us not to store a response that was invalidated while it was rendered. */
const NO_STORE = 'no-store';

interface Rendered {
  readonly response: EncodedResponse;
  /** `Surrogate-Control` for the caches in front; undefined when the response is not cacheable. */
  readonly surrogate: string | undefined;
  readonly isStored: boolean;
}

/**
 * @param clock answers now
 * @param cdnHeaders headers for CDNs in front, beside `Surrogate-Control` and `Cache-Tag`
 */
export function createHttpCache(
  store: CacheStore,
  clock: () => Instant,
  log: (line: string) => void,
  cdnHeaders?: CdnHeaders,
): HttpCache {
  const renders = new Map<string, { isJoinable: () => boolean; result: Promise<Rendered> }>();
  const revalidating = new Set<string>();

  /** @param compressions the encodings to prepare beside the plain one */
  async function renderAndStore(
    key: string | undefined,
    render: Render,
    compressions: readonly Compression[],
  ): Promise<Rendered> {
    const ticket = store.startRender();
    const startedAt = clock();
    try {
      const rendered = await render();
      const response = await encodeResponse(rendered, compressions);
      const policy =
        CACHEABLE_STATUSES.has(rendered.status) && !rendered.headers.has('set-cookie')
          ? parseCachePolicy(rendered.headers)
          : undefined;
      if (!policy) {
        // The stored response is out of date, unless this one is a failure that may pass.
        if (key !== undefined && rendered.status < 500) store.delete(key);
        return { response, surrogate: undefined, isStored: false };
      }
      const { maxAge, swr, tags } = policy;
      // Responses without a key, such as those to unknown query parameters, are never cached.
      if (key === undefined || !store.isStorable(ticket, tags))
        return { response, surrogate: NO_STORE, isStored: false };
      const freshUntil = startedAt + maxAge * 1000;
      const entry = { ...response, tags, freshUntil, staleUntil: freshUntil + swr * 1000 };
      const isStored = store.set(key, entry, ticket);
      return { response, surrogate: surrogateOf(entry, clock()), isStored };
    } finally {
      store.endRender(ticket);
    }
  }

  /** Joins the render of this key that is running, unless something was invalidated since it began. */
  function renderShared(
    key: string,
    render: Render,
  ): { result: Promise<Rendered>; isOwn: boolean } {
    const running = renders.get(key);
    if (running?.isJoinable()) return { result: running.result, isOwn: false };
    const ticket = store.startRender();
    const result = renderAndStore(key, render, COMPRESSIONS).finally(() => {
      store.endRender(ticket);
      if (renders.get(key)?.result === result) renders.delete(key);
    });
    renders.set(key, { isJoinable: () => store.isJoinable(ticket), result });
    return { result, isOwn: true };
  }

  function revalidate(key: string, render: Render): void {
    if (revalidating.has(key)) return;
    revalidating.add(key);
    renderShared(key, render)
      .result.catch((error: unknown) =>
        log(`Page cache: rendering a stale page again failed (the stale page stays): ${error}`),
      )
      .finally(() => revalidating.delete(key));
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    { response: encoded, surrogate }: Omit<Rendered, 'isStored'>,
    cacheStatus: string,
  ): void {
    sendResponse(request, response, encoded, {
      allow304: surrogate !== undefined,
      extraHeaders: (headers) => [
        'cache-status',
        `Linework; ${cacheStatus}`,
        ...(surrogate === undefined
          ? []
          : ['surrogate-control', surrogate, ...(cdnHeaders?.(surrogate, headers) ?? [])]),
      ],
    });
  }

  return {
    serveCached(request, response, key, render) {
      const now = clock();
      const entry = store.get(key, now);
      if (!entry) return false;
      if (now >= entry.freshUntil) revalidate(key, render);
      const secondsLeft = Math.floor((entry.freshUntil - now) / 1000);
      const surrogate = surrogateOf(entry, now);
      send(request, response, { response: entry, surrogate }, `hit; ttl=${secondsLeft}`);
      return true;
    },
    async render(request, response, key, render) {
      if (key === undefined) {
        const encoding = negotiateEncoding(request.headers['accept-encoding']);
        const compressions = encoding === 'identity' ? [] : [encoding];
        const rendered = await renderAndStore(undefined, render, compressions);
        send(request, response, rendered, 'fwd=bypass');
        return;
      }
      const { result, isOwn } = renderShared(key, render);
      const rendered = await result;
      const outcome = isOwn ? (rendered.isStored ? '; stored' : '') : '; collapsed';
      send(request, response, rendered, `fwd=uri-miss${outcome}`);
    },
  };
}

/** `Surrogate-Control` with the seconds that are left of an entry. */
function surrogateOf({ freshUntil, staleUntil }: CacheEntry, now: Instant): string {
  const maxAge = Math.max(0, Math.floor((freshUntil - now) / 1000));
  return surrogateControl(maxAge, Math.floor((staleUntil - freshUntil) / 1000));
}
