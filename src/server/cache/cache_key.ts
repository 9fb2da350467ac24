import type { IncomingHttpHeaders } from 'node:http';

/** Query parameters that change no response: analytics, ads, and `v`, a share image's version. */
const IGNORED_PARAMETERS = new Set(
  'fbclid gclid gclsrc dclid gbraid wbraid msclkid ttclid twclid yclid igshid igsh mc_cid mc_eid li_fat_id srsltid _ga _gl v'.split(
    ' ',
  ),
);
const isIgnored = (name: string) => IGNORED_PARAMETERS.has(name) || name.startsWith('utm_');

/**
 * Other spellings of a path, which would each fill the cache with the same response: those that
 * `URL` changes, percent-encoded characters and capitals. No path of a stored response needs them.
 */
const OTHER_SPELLING = /[%A-Z#\\]|\/\/|\/\.{1,2}(?:\/|$)/;

/** The key of a response in the cache, and the address to render it from. */
export interface CacheKey {
  /** Path and sorted query, without ignored parameters and without a slash at the path's end. */
  readonly key: string;
  /** Like `key`, but with a slash at the path's end if the URL has one. */
  readonly address: string;
}

/**
 * The cache key of a GET or HEAD request; undefined when its response must not be shared. Such a
 * request has a cookie, `Authorization`, another spelling of a path, or a repeated, unknown or malformed
 * parameter that is not ignored.
 * @param url path and query
 * @param knownParameters returns the names of the query parameters that a path reads
 */
export function toCacheKey(
  url: string,
  headers: IncomingHttpHeaders,
  knownParameters: (path: string) => readonly string[],
): CacheKey | undefined {
  if (headers.cookie !== undefined || headers.authorization !== undefined) return undefined;
  const queryStart = url.indexOf('?');
  const path = queryStart === -1 ? url : url.slice(0, queryStart);
  if (OTHER_SPELLING.test(path)) return undefined;
  const keyPath = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (queryStart === -1) return { key: keyPath, address: url };
  const parameters = [...new URLSearchParams(url.slice(queryStart))].filter(
    ([name]) => !isIgnored(name),
  );
  if (parameters.length === 0) return { key: keyPath, address: path };
  const known = knownParameters(keyPath);
  const names = parameters.map(([name]) => name);
  if (new Set(names).size < names.length) return undefined;
  if (!names.every((name) => known.includes(name))) return undefined;
  // U+FFFD stands for bytes that are not UTF-8; the API answers them with 422.
  if (parameters.some(([, value]) => value.includes('\ufffd'))) return undefined;
  const query = new URLSearchParams(parameters);
  query.sort();
  return { key: `${keyPath}?${query}`, address: `${path}?${query}` };
}
