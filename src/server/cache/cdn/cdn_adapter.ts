/** A cache in front of the servers that can be purged by tags: Varnish or a CDN. */
export interface CdnAdapter {
  /**
   * Purges everything that is cached under any of these tags.
   * @param timeoutMs limit for each call
   * @throws when a call fails
   */
  purge(tags: readonly string[], timeoutMs: number): Promise<void>;
  /** Headers that it reads beside `Surrogate-Control` and `Cache-Tag`. */
  readonly cdnHeaders?: CdnHeaders;
}

/**
 * Extra headers of a cacheable response, as alternating names and values.
 * @param control its `Surrogate-Control`
 * @param headers its other headers, alternating; names in lower case
 */
export type CdnHeaders = (control: string, headers: readonly string[]) => readonly string[];

/** The value of a header in an alternating list; undefined when it is missing. */
export function headerOf(headers: readonly string[], name: string): string | undefined {
  for (let index = 0; index < headers.length; index += 2)
    if (headers[index] === name) return headers[index + 1];
  return undefined;
}

/** Splits tags into batches of at most `maxTags`. */
export function inBatches(tags: readonly string[], maxTags: number): readonly string[][] {
  const batches: string[][] = [];
  for (let first = 0; first < tags.length; first += maxTags)
    batches.push(tags.slice(first, first + maxTags));
  return batches;
}
