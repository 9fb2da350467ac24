import { inParts, type TagPurge } from './purge.ts';

/** It takes 8 KB a header, and a tag is about 50 bytes. */
const TAGS_A_CALL = 50;

/**
 * Varnishes that run `deploy/varnish/default.vcl`.
 * @param urls of each, as this server reaches it
 */
export function createVarnishPurge(urls: readonly string[]): TagPurge {
  async function call(url: string, tags: readonly string[], patienceMs: number): Promise<void> {
    const response = await fetch(url, {
      method: 'PURGE',
      headers: { 'Cache-Tag': tags.join(',') },
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.text();
    if (response.status !== 200)
      throw new Error(`Varnish at ${new URL(url).host} answered ${response.status} to a purge`);
  }
  return {
    async purge(tags, patienceMs) {
      const calls = urls.flatMap((url) =>
        inParts(tags, TAGS_A_CALL).map((part) => call(url, part, patienceMs)),
      );
      // One that is away keeps none of the others from being told.
      for (const told of await Promise.allSettled(calls))
        if (told.status === 'rejected') throw told.reason;
    },
  };
}
