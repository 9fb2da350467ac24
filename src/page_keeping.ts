import type { APIContext } from 'astro';
import { type Keeping, readKeeping } from '#domain/keeping.ts';

/** Hears what the API says of keeping the answers that a page is made of. */
export interface Sources {
  /** Fetches as the one that was given. */
  readonly fetch: typeof fetch;
  /** Has the page carry all their tags, and kept no longer than any of them may be. */
  bound(cache: APIContext['cache']): void;
}

const MISSING = new Set([404, 422]);

export function listenToSources(over: typeof fetch): Sources {
  const heard: (Keeping | undefined)[] = [];
  return {
    async fetch(input, init) {
      const response = await over(input, init);
      // That something is not there is for the page to say, and for how long.
      if (!MISSING.has(response.status)) heard.push(readKeeping(response.headers));
      return response;
    },
    bound(cache) {
      const { maxAge, swr = 0 } = cache.options;
      // The page itself says whether it is kept at all.
      if (maxAge === undefined) return;
      const tags = heard.flatMap((keeping) => keeping?.tags ?? []);
      const ages = heard.map((keeping) => keeping?.maxAge ?? 0);
      const swrs = heard.map((keeping) => keeping?.swr ?? 0);
      cache.set({ maxAge: Math.min(maxAge, ...ages), swr: Math.min(swr, ...swrs), tags });
    },
  };
}
