/** Controls a cache in front of our servers that can be purged by tags: a CDN or Varnish. */
export interface CdnAdapter {
  /**
   * Purges everything that is cached under any of these tags.
   * @param timeoutMs limit for each HTTP call
   * @throws when an HTTP call fails
   */
  purge(tags: readonly string[], timeoutMs: number): Promise<void>;
  /** Creates the headers that this cache reads besides `Surrogate-Control` and `Cache-Tag`. */
  readonly cdnHeaders?: CdnHeaders;
}

/**
 * Returns headers to add to a cacheable response. In header lists, names and values alternate.
 * @param surrogate the value of the response's `Surrogate-Control`
 * @param headers those that a 304 response repeats, with names in lower case
 */
export type CdnHeaders = (surrogate: string, headers: readonly string[]) => readonly string[];

/** The value of a header in a list of alternating names and values; undefined when missing. */
export function headerOf(headers: readonly string[], name: string): string | undefined {
  for (let index = 0; index < headers.length; index += 2)
    if (headers[index] === name) return headers[index + 1];
  return undefined;
}
