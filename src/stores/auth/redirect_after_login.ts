/** The path to open after a login: that of `?next=` in the query `search` if it is on this site, else `/`. */
export function pathAfterLogin(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  // Browsers ignore tabs and line breaks in a URL. A URL with `//` or `/\` first is another site's.
  if (!/^\/(?![/\\])/.test(next) || /[\t\n\r\\]/.test(next)) return '/';
  const { origin, pathname, search: query, hash } = new URL(next, location.origin);
  // `new URL` resolves `/..` and `/.`, so a path such as `/.//example.com` begins with `//` now.
  if (origin !== location.origin || pathname.startsWith('//')) return '/';
  return pathname + query + hash;
}
