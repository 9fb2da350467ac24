import type { APIContext } from 'astro';
import { tag } from '#cache/policy.ts';
import { fetchArtist } from '#client/artists.ts';
import { ApiError, type PageParams, type Transport } from '#client/http.ts';
import type { Artist } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import { USERNAME_PATTERN } from '#domain/username.ts';

/** As many as the API lists at once. */
export const FULL_LIST = { limit: 200 };

/** How long it may be kept that an artist is not there, in seconds; signing up clears it sooner. */
const NOT_FOUND_MAX_AGE = 60;

/** The page that says so; no artist can have this name. */
export const UNAVAILABLE_PATH = '/-unavailable';

/** The artist in the path; or, when there is none or the API cannot tell, the answer to give. */
export async function loadArtist(context: APIContext): Promise<Artist | Response> {
  const username = context.params['username'] ?? '';
  try {
    return await fetchArtist(context.locals.api, username);
  } catch (error) {
    if (!isNotFound(error)) return context.rewrite(UNAVAILABLE_PATH);
    // Nobody can come to have any other name, so that nobody need be told of one.
    if (USERNAME_PATTERN.test(username.toLowerCase()))
      context.cache.set({ maxAge: NOT_FOUND_MAX_AGE, tags: [tag.username(username)] });
    return context.redirect('/404');
  }
}

/**
 * An artist with one of their lists, read side by side. A list that cannot be read leaves the
 * artist: `listing` is then rejected.
 */
export async function loadArtistAndList<T>(
  context: APIContext,
  list: (http: Transport, username: string, page: PageParams) => Promise<ListPage<T>>,
): Promise<{ artist: Artist; listing: PromiseSettledResult<ListPage<T>> } | Response> {
  const [artist, [listing]] = await Promise.all([
    loadArtist(context),
    Promise.allSettled([list(context.locals.api, context.params['username'] ?? '', FULL_LIST)]),
  ]);
  return artist instanceof Response ? artist : { artist, listing };
}

/** Whether the API says that there is no such thing. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 422);
}
