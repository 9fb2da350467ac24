import * as z from 'zod/mini';
import { headerOf, inParts, type TagPurge } from './purge.ts';

/** A site at Cloudflare, and a token that may purge it. */
export interface CloudflareZone {
  readonly id: string;
  readonly apiToken: string;
  /** Where its API answers, without a slash at the end. */
  readonly apiBase: string;
}

export const CLOUDFLARE_API = 'https://api.cloudflare.com/client/v4';
/** What every plan takes (developers.cloudflare.com, "Purge cache", availability and limits). */
const TAGS_A_CALL = 30;

const Told = z.object({
  success: z.boolean(),
  errors: z._default(z.array(z.object({ code: z.number(), message: z.string() })), []),
});

/** Cloudflare, which keeps what a cache rule makes eligible, for as long as we say. */
export function createCloudflarePurge({ id, apiToken, apiBase }: CloudflareZone): TagPurge {
  async function call(tags: readonly string[], patienceMs: number): Promise<void> {
    const response = await fetch(`${apiBase}/zones/${encodeURIComponent(id)}/purge_cache`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ tags }),
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await response.text();
    const told = readTold(text);
    if (response.ok && told?.success) return;
    const why = told?.errors.map(({ code, message }) => `${message} (${code})`).join('; ');
    throw new Error(`Cloudflare answered ${response.status} to a purge${why ? `: ${why}` : ''}`);
  }
  return {
    async purge(tags, patienceMs) {
      await Promise.all(inParts(tags, TAGS_A_CALL).map((part) => call(part, patienceMs)));
    },
    hints(control, headers) {
      // It tells answers apart by their encoding alone, whatever else `Vary` names.
      const vary = headerOf(headers, 'vary') ?? '';
      const isForAll = vary.split(',').every((one) => /^(accept-encoding)?$/i.test(one.trim()));
      return ['cloudflare-cdn-cache-control', isForAll ? control : 'no-store'];
    },
  };
}

function readTold(text: string): z.output<typeof Told> | undefined {
  try {
    return z.safeParse(Told, JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
