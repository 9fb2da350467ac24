import type { AstroGlobal } from 'astro';
import { DEFAULT_CACHE_POLICY, tag } from '#cache/policy.ts';
import { ApiError, formatError } from '#client/call.ts';
import type { Transport } from '#contract/endpoint.ts';
import { USERNAME_PATTERN } from '#domain/username.ts';

/** How long an unknown username is cached, in seconds. A signup invalidates it sooner. */
const NOT_FOUND_MAX_AGE = 60;

/** The page for when the API does not answer. No username can begin with `-`. */
export const UNAVAILABLE_PATH = '/-unavailable';

interface LoadOptions {
  /** False on pages whose path has an id: anyone could fill the cache with made-up ids. */
  readonly cachesNotFound: boolean;
}

/**
 * Loads what a page of the artist in the path shows, and caches the page as long as it is valid.
 * @returns the value; or a response to send: 404, or the page for when the API fails
 */
export async function loadArtistPage<T>(
  astro: AstroGlobal,
  load: (api: Transport, path: { username: string }) => Promise<T>,
  { cachesNotFound }: LoadOptions = { cachesNotFound: true },
): Promise<T | Response> {
  const username = astro.params['username'] ?? '';
  try {
    const page = await load(astro.locals.api, { username });
    astro.cache.set(DEFAULT_CACHE_POLICY);
    return page;
  } catch (error) {
    if (!isNotFound(error)) {
      if (error instanceof ApiError && error.status === 503)
        astro.locals.failureText = formatError(error);
      return astro.rewrite(UNAVAILABLE_PATH);
    }
    // Only a valid username can be taken by a signup later, which invalidates this tag.
    if (cachesNotFound && USERNAME_PATTERN.test(username.toLowerCase()))
      astro.cache.set({ maxAge: NOT_FOUND_MAX_AGE, tags: [tag.username(username)] });
    return astro.redirect('/404');
  }
}

/** Whether the API says that it does not exist; 422 is an id or username of an invalid form. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 422);
}
