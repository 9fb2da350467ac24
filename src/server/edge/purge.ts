/** Caches in front of our servers that can be told what to let go of: a Varnish, or a CDN. */
export interface TagPurge {
  /**
   * Ends what they keep under any of these tags (domain/keeping).
   * @param patienceMs how long each may take to say that it has
   * @throws when one of them did not
   */
  purge(tags: readonly string[], patienceMs: number): Promise<void>;
  /** What they read beside `Surrogate-Control` and `Cache-Tag`, if anything. */
  readonly hints?: CacheHints;
}

/**
 * Headers, names and values in turn, of an answer that may be kept.
 * @param control its `Surrogate-Control`
 * @param headers its other ones, names in lower case and values in turn
 */
export type CacheHints = (control: string, headers: readonly string[]) => readonly string[];

/** The value of a header; undefined when it has none. */
export function headerOf(headers: readonly string[], name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return headers[at + 1];
  return undefined;
}

/** Tags in parts of at most so many. */
export function inParts(tags: readonly string[], most: number): readonly (readonly string[])[] {
  const parts: (readonly string[])[] = [];
  for (let first = 0; first < tags.length; first += most)
    parts.push(tags.slice(first, first + most));
  return parts;
}
