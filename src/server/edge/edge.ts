import type { IncomingMessage, ServerResponse } from 'node:http';
import { readKeeping, surrogateControl } from '#domain/keeping.ts';
import type { Instant } from '#domain/time.ts';
import type { KeptAnswer, PageCache } from './page_cache.ts';
import type { CacheHints } from './purge.ts';
import {
  COMPRESSIONS,
  type Compression,
  type MadeAnswer,
  makeReady,
  type ReadyAnswer,
} from './ready_answer.ts';
import { encodingFor, sendReady } from './send_ready.ts';

/** Makes the answer of an address anew. */
export type Maker = () => Promise<MadeAnswer>;

/** Answers reads: with what is kept, or with what is made anew and kept if it may be. */
export interface Edge {
  /**
   * Answers with what is kept under a key, and has it made anew once it is no longer fresh.
   * @returns false when nothing is kept
   */
  answerKept(request: IncomingMessage, response: ServerResponse, key: string, make: Maker): boolean;
  /**
   * Answers with what is made now; whoever asks for the same meanwhile shares it.
   * @param key undefined when it is neither shared nor kept
   */
  answerAnew(
    request: IncomingMessage,
    response: ServerResponse,
    key: string | undefined,
    make: Maker,
  ): Promise<void>;
}

/** Redirects are kept as pages are, when they say so: an artist who is not there is one. */
const KEPT_STATUSES = new Set([200, 301, 302, 308]);
/** For caches in front of us, which would not hear of a clear that has been. */
const NOT_TO_KEEP = 'no-store';

/** What was made, and what caches in front may do with it: nothing unless it says so. */
interface Made {
  readonly answer: ReadyAnswer;
  readonly surrogate: string | undefined;
}

/**
 * @param clock tells now
 * @param hints what caches in front of us read, beside `Surrogate-Control` and tags
 */
export function createEdge(
  cache: PageCache,
  clock: () => Instant,
  log: (line: string) => void,
  hints?: CacheHints,
): Edge {
  const underWay = new Map<string, { isJoinable: () => boolean; made: Promise<Made> }>();
  const refreshing = new Set<string>();

  /** @param compressions in which it is sent, besides as it is */
  async function makeOne(
    key: string | undefined,
    make: Maker,
    compressions: readonly Compression[],
  ): Promise<Made> {
    const making = cache.begin();
    const began = clock();
    try {
      const made = await make();
      const answer = await makeReady(made, compressions);
      const keeping =
        KEPT_STATUSES.has(made.status) && !made.headers.has('set-cookie')
          ? readKeeping(made.headers)
          : undefined;
      if (!keeping) {
        // What was kept is no longer so; a failure may pass.
        if (key !== undefined && made.status < 500) cache.drop(key);
        return { answer, surrogate: undefined };
      }
      const { maxAge, swr, tags } = keeping;
      // Nobody keeps what is asked for in a way that we know nothing of.
      if (key === undefined || !cache.isCurrent(making, tags))
        return { answer, surrogate: NOT_TO_KEEP };
      const freshUntil = began + maxAge * 1000;
      const kept = { ...answer, tags, freshUntil, staleUntil: freshUntil + swr * 1000 };
      cache.keep(key, kept, making);
      return { answer, surrogate: surrogateOf(kept, clock()) };
    } finally {
      cache.end(making);
    }
  }

  /** Shared by all who ask for it, unless something was cleared since it began. */
  function makeShared(key: string, make: Maker): Promise<Made> {
    const running = underWay.get(key);
    if (running?.isJoinable()) return running.made;
    const seen = cache.begin();
    const made = makeOne(key, make, COMPRESSIONS).finally(() => {
      cache.end(seen);
      if (underWay.get(key)?.made === made) underWay.delete(key);
    });
    underWay.set(key, { isJoinable: () => cache.isUntouched(seen), made });
    return made;
  }

  function refresh(key: string, make: Maker): void {
    if (refreshing.has(key)) return;
    refreshing.add(key);
    makeShared(key, make)
      .catch((error: unknown) => log(`A page was not made anew: ${error}`))
      .finally(() => refreshing.delete(key));
  }

  return {
    answerKept(request, response, key, make) {
      const now = clock();
      const kept = cache.find(key, now);
      if (!kept) return false;
      if (now >= kept.freshUntil) refresh(key, make);
      send(request, response, { answer: kept, surrogate: surrogateOf(kept, now) }, hints);
      return true;
    },
    async answerAnew(request, response, key, make) {
      const wanted = encodingFor(request.headers['accept-encoding']);
      const made = await (key === undefined
        ? makeOne(key, make, wanted === 'identity' ? [] : [wanted])
        : makeShared(key, make));
      send(request, response, made, hints);
    },
  };
}

/** What is left of an answer's time, for caches in front of us. */
function surrogateOf({ freshUntil, staleUntil }: KeptAnswer, now: Instant): string {
  const fresh = Math.max(0, Math.floor((freshUntil - now) / 1000));
  return surrogateControl(fresh, Math.floor((staleUntil - freshUntil) / 1000));
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, surrogate }: Made,
  hints: CacheHints | undefined,
): void {
  sendReady(request, response, answer, {
    allow304: surrogate !== undefined,
    extraHeaders: (headers) =>
      surrogate === undefined
        ? []
        : ['surrogate-control', surrogate, ...(hints?.(surrogate, headers) ?? [])],
  });
}
