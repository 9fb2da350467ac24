import * as z from 'zod/mini';
import { parseJson } from '../parse_json.ts';
import { toBatches } from '../to_batches.ts';
import { type CdnAdapter, headerOf } from './cdn_adapter.ts';

/** A zone (domain) at Cloudflare, with an API token that may purge it. */
export interface CloudflareZone {
  readonly id: string;
  readonly apiToken: string;
  /** Address of the API, without a slash at the end. */
  readonly apiBase: string;
}

export const CLOUDFLARE_API = 'https://api.cloudflare.com/client/v4';
/** Cloudflare's limit (developers.cloudflare.com, "Purge cache", availability and limits). */
const MAX_TAGS_PER_CALL = 30;

const PurgeResult = z.object({
  success: z.boolean(),
  errors: z._default(z.array(z.object({ code: z.number(), message: z.string() })), []),
});

/** Cloudflare caches our pages only if a cache rule of the zone makes them eligible. */
export function createCloudflareAdapter({ id, apiToken, apiBase }: CloudflareZone): CdnAdapter {
  async function purgeBatch(tags: readonly string[], timeoutMs: number): Promise<void> {
    const response = await fetch(`${apiBase}/zones/${encodeURIComponent(id)}/purge_cache`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ tags }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const result = parseJson(PurgeResult, text);
    if (response.ok && result?.success) return;
    const reason = result?.errors.map(({ code, message }) => `${message} (${code})`).join('; ');
    throw new Error(
      `Cloudflare answered ${response.status} to a purge${reason ? `: ${reason}` : ''}`,
    );
  }
  return {
    async purge(tags, timeoutMs) {
      await Promise.all(
        toBatches(tags, MAX_TAGS_PER_CALL).map((batch) => purgeBatch(batch, timeoutMs)),
      );
    },
    cdnHeaders(surrogate, headers) {
      // Cloudflare ignores `Vary`, except `Accept-Encoding`, and could send the wrong variant.
      const vary = headerOf(headers, 'vary') ?? '';
      const isCacheable = vary
        .split(',')
        .every((name) => /^(accept-encoding)?$/i.test(name.trim()));
      return ['cloudflare-cdn-cache-control', isCacheable ? surrogate : 'no-store'];
    },
  };
}
