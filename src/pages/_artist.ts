import type { AstroGlobal } from 'astro';
import { DEFAULT_CACHE_POLICY, tag } from '#cache/policy.ts';
import { ApiError, call } from '#client/call.ts';
import type { Transport } from '#contract/endpoint.ts';
import { fetchArtist } from '#contract/endpoints.ts';
import { USERNAME_PATTERN } from '#domain/accounts/username.ts';

/** How long an unknown username is cached, in seconds. A signup invalidates it sooner. */
const NOT_FOUND_MAX_AGE = 60;

/** The page that says that the API does not answer. No username can begin with `-`. */
export const UNAVAILABLE_PATH = '/-unavailable';

/** The data that a page of an artist loads: the artist, or an object that contains the artist. */
type ArtistPage =
  | { readonly username: string }
  | { readonly artist: { readonly username: string } };

/**
 * Loads the data of a page of the artist in the path, and lets the page be cached.
 * @param options `cachesNotFound`: not with an id or a filter in the address, because anyone can make up many
 * @returns the data, or a response to send instead of the page. For a missing page: the 404 page at this address
 *   if the artist exists, else a redirect to it. For a former username: a redirect. When the API fails: the page
 *   that says so.
 */
export async function loadArtistPage<T extends ArtistPage>(
  astro: AstroGlobal,
  load: (api: Transport, path: { username: string }) => Promise<T>,
  { cachesNotFound }: { readonly cachesNotFound: boolean } = { cachesNotFound: true },
): Promise<T | Response> {
  // Astro leaves `%40` as it is.
  const username = (astro.params['username'] ?? '').replace(/^%40/, '@');
  try {
    const page = await load(astro.locals.api, { username });
    astro.cache.set(DEFAULT_CACHE_POLICY);
    const current = 'artist' in page ? page.artist.username : page.username;
    // The redirect is cached like the page: the artist's tag invalidates it when the username changes again.
    if (current !== username.toLowerCase()) return redirectToUsername(astro, current);
    return page;
  } catch (error) {
    if (!isNotFound(error)) {
      if (error instanceof ApiError && error.status === 503 && typeof error.detail === 'string')
        astro.locals.failureText = error.detail;
      return astro.rewrite(UNAVAILABLE_PATH);
    }
    // Somebody may sign up with a valid username later, which invalidates this tag.
    if (cachesNotFound && USERNAME_PATTERN.test(username.toLowerCase()))
      astro.cache.set({ maxAge: NOT_FOUND_MAX_AGE, tags: [tag.username(username)] });
    // Below the address of an artist who exists, the 404 page leads back to the artist.
    const isArtistThere = !cachesNotFound && (await findArtistAbove(astro)) !== undefined;
    return isArtistThere ? astro.rewrite('/404') : astro.redirect('/404');
  }
}

/** Redirects to the same page under the present username; the browser posts a form again there (308). */
export function redirectToUsername(
  { request, url }: AstroGlobal,
  username: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  // Of `/ana`, this makes `/username/`: the address of an artist's home page ends in a slash.
  const [, , ...rest] = url.pathname.split('/');
  const Location = `/${username}/${rest.join('/')}${url.search}`;
  const status = request.method === 'POST' ? 308 : 301;
  return new Response(null, { status, headers: { ...headers, Location } });
}

/** The present username of the artist who has or had a username; undefined if there is none, or the API fails. */
export async function findCurrentUsername(
  api: Transport,
  username: string,
): Promise<string | undefined> {
  const artist = await call(api, fetchArtist, { path: { username } }).catch(() => undefined);
  return artist?.username;
}

/** The present username of the artist whose name begins the path of the request; undefined if there is none. */
export async function findArtistAbove({
  locals,
  originPathname,
}: AstroGlobal): Promise<string | undefined> {
  const [, name = ''] = originPathname.toLowerCase().split('/');
  return USERNAME_PATTERN.test(name) ? findCurrentUsername(locals.api, name) : undefined;
}

/** Whether the API answered that the thing does not exist; 422 is an id or username of an invalid form. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 422);
}
