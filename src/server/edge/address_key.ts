import type { IncomingHttpHeaders } from 'node:http';

/** Which of an address's query parameters count; undefined when the address takes none. */
export type KnownQuery = (path: string) => readonly string[] | undefined;

/** What tells no page of ours anything: marks of whoever counts visits, and a share image's version. */
const SAYS_NOTHING = new Set(
  'fbclid gclid gclsrc dclid gbraid wbraid msclkid ttclid twclid yclid igshid igsh mc_cid mc_eid li_fat_id srsltid _ga _gl v'.split(
    ' ',
  ),
);
const saysNothing = (name: string) => SAYS_NOTHING.has(name) || name.startsWith('utm_');

/** An address as it is kept and made anew. */
export interface AskedAddress {
  /** Path and query without what says nothing to us, and without a slash at the end of the path. */
  readonly key: string;
  /** The same, as it was asked for. */
  readonly address: string;
}

/**
 * What a read asks for; undefined when it must be answered for whoever asks alone: it carries a
 * cookie or a token, or a query that nobody knows.
 * @param url path and query
 */
export function askedAddress(
  url: string,
  headers: IncomingHttpHeaders,
  knownQuery: KnownQuery,
): AskedAddress | undefined {
  if (headers.cookie !== undefined || headers.authorization !== undefined) return undefined;
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (mark === -1) return { key: plain, address: url };
  const asked = [...new URLSearchParams(url.slice(mark))].filter(([name]) => !saysNothing(name));
  if (asked.length === 0) return { key: plain, address: path };
  const known = knownQuery(plain);
  const names = asked.map(([name]) => name);
  if (new Set(names).size < names.length) return undefined;
  if (!names.every((name) => known?.includes(name))) return undefined;
  const query = new URLSearchParams(asked);
  query.sort();
  return { key: `${plain}?${query}`, address: `${path}?${query}` };
}
