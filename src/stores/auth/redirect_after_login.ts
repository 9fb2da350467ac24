/**
 * Where to go after logging in: the page that asked for it, when that is one of this site's, else
 * the studio's home.
 * @param search the query of the login page's address
 */
export function pathAfterLogin(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  // Browsers read `//` and `/\` as the beginning of another site's address, and skip line breaks.
  if (!/^\/(?![/\\])/.test(next) || /[\t\n\r\\]/.test(next)) return '/';
  const { origin, pathname, search: query, hash } = new URL(next, location.origin);
  // Dots are resolved by now, which may have left another `//` at the beginning.
  if (origin !== location.origin || pathname.startsWith('//')) return '/';
  return pathname + query + hash;
}
