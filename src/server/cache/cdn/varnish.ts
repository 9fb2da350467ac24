import { toBatches } from '../to_batches.ts';
import type { CdnAdapter } from './cdn_adapter.ts';

/** Far below the limit: Varnish accepts a header of 8 KB, and a tag takes about 50 bytes. */
const MAX_TAGS_PER_CALL = 50;

/**
 * One adapter for all Varnish servers, which run `deploy/varnish/default.vcl`.
 * @param urls addresses at which this server reaches the Varnish servers
 */
export function createVarnishAdapter(urls: readonly string[]): CdnAdapter {
  async function purgeBatch(
    url: string,
    tags: readonly string[],
    timeoutMs: number,
  ): Promise<void> {
    const response = await fetch(url, {
      method: 'PURGE',
      headers: { 'Cache-Tag': tags.join(',') },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    // Reads the body to its end, so that the connection is free for the next call.
    await response.text();
    if (response.status !== 200)
      throw new Error(`Varnish at ${new URL(url).host} answered ${response.status} to a purge`);
  }
  return {
    async purge(tags, timeoutMs) {
      const calls = urls.flatMap((url) =>
        toBatches(tags, MAX_TAGS_PER_CALL).map((batch) => purgeBatch(url, batch, timeoutMs)),
      );
      // Waits even if a call fails: our caller purges CDNs next, and these fetch from Varnish.
      for (const result of await Promise.allSettled(calls))
        if (result.status === 'rejected') throw result.reason;
    },
  };
}
