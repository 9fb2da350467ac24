import type { AstroGlobal } from 'astro';
import { DEFAULT_CACHE_POLICY, tag } from '#cache/policy.ts';
import { fetchArtist } from '#client/artists.ts';
import { ApiError, type PageParams, type Transport } from '#client/http.ts';
import type { Artist } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import { MAX_PAGE_SIZE } from '#domain/list_limits.ts';
import { USERNAME_PATTERN } from '#domain/username.ts';

/** The longest list that the API returns at once. */
export const FULL_LIST = { limit: MAX_PAGE_SIZE };

/** How long an unknown username is cached, in seconds. A signup invalidates it sooner. */
const NOT_FOUND_MAX_AGE = 60;

/** The page for when the API does not answer. No username can begin with `-`. */
export const UNAVAILABLE_PATH = '/-unavailable';

/** The artist in the path; or a response to send: 404, or the page for when the API fails. */
export async function loadArtist(astro: AstroGlobal): Promise<Artist | Response> {
  const username = astro.params['username'] ?? '';
  try {
    return await fetchArtist(astro.locals.api, username);
  } catch (error) {
    if (!isNotFound(error)) return astro.rewrite(UNAVAILABLE_PATH);
    // Only a valid username can be taken by a signup later, which invalidates this tag.
    if (USERNAME_PATTERN.test(username.toLowerCase()))
      astro.cache.set({ maxAge: NOT_FOUND_MAX_AGE, tags: [tag.username(username)] });
    return astro.redirect('/404');
  }
}

/**
 * The artist in the path and one of their lists, requested at the same time; or a response to send.
 * When only the list fails, `error` is set and the page is sent with status 503.
 */
export async function loadArtistAndList<T>(
  astro: AstroGlobal,
  list: (http: Transport, username: string, page: PageParams) => Promise<ListPage<T>>,
): Promise<{ artist: Artist; items: T[]; error: unknown } | Response> {
  const [artist, [listing]] = await Promise.all([
    loadArtist(astro),
    Promise.allSettled([list(astro.locals.api, astro.params['username'] ?? '', FULL_LIST)]),
  ]);
  if (artist instanceof Response) return artist;
  if (listing.status === 'fulfilled') {
    astro.cache.set(DEFAULT_CACHE_POLICY);
    return { artist, items: listing.value.data, error: null };
  }
  astro.response.status = 503;
  astro.response.headers.set('Cache-Control', 'no-store');
  return { artist, items: [], error: listing.reason };
}

/** Whether the API says that it does not exist; 422 is an id or username of an invalid form. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 422);
}
