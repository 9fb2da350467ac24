import { toBatches } from '../to_batches.ts';
import { type CdnAdapter, headerOf } from './cdn_adapter.ts';

/** A service at Fastly, with an API token that may purge it. */
export interface FastlyService {
  readonly id: string;
  readonly apiToken: string;
  /** Address of the API, without a slash at the end. */
  readonly apiBase: string;
}

export const FASTLY_API = 'https://api.fastly.com';
/** The limit of Fastly's API call "Purge multiple surrogate key tags". */
const MAX_TAGS_PER_CALL = 256;

/** Fastly reads tags from `Surrogate-Key`, separated by spaces, and not from our `Cache-Tag`. */
export function createFastlyAdapter({ id, apiToken, apiBase }: FastlyService): CdnAdapter {
  async function purgeBatch(tags: readonly string[], timeoutMs: number): Promise<void> {
    const response = await fetch(`${apiBase}/service/${encodeURIComponent(id)}/purge`, {
      method: 'POST',
      headers: {
        'Fastly-Key': apiToken,
        Accept: 'application/json',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ surrogate_keys: tags }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    // Reads the body to its end, so that the connection is free for the next call.
    await response.text();
    if (!response.ok) throw new Error(`Fastly answered ${response.status} to a purge`);
  }
  return {
    async purge(tags, timeoutMs) {
      await Promise.all(
        toBatches(tags, MAX_TAGS_PER_CALL).map((batch) => purgeBatch(batch, timeoutMs)),
      );
    },
    cdnHeaders(_surrogate, headers) {
      const tags = headerOf(headers, 'cache-tag');
      return tags === undefined ? [] : ['surrogate-key', tags.replaceAll(',', ' ')];
    },
  };
}
