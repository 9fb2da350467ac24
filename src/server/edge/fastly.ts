import { headerOf, inParts, type TagPurge } from './purge.ts';

/** A service at Fastly, and a token that may purge it. */
export interface FastlyService {
  readonly id: string;
  readonly apiToken: string;
  /** Where its API answers, without a slash at the end. */
  readonly apiBase: string;
}

export const FASTLY_API = 'https://api.fastly.com';
/** Fastly's API, "Purge multiple surrogate key tags". */
const TAGS_A_CALL = 256;

/** Fastly, which reads `Surrogate-Control` and knows tags as surrogate keys. */
export function createFastlyPurge({ id, apiToken, apiBase }: FastlyService): TagPurge {
  async function call(tags: readonly string[], patienceMs: number): Promise<void> {
    const response = await fetch(`${apiBase}/service/${encodeURIComponent(id)}/purge`, {
      method: 'POST',
      headers: {
        'Fastly-Key': apiToken,
        Accept: 'application/json',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ surrogate_keys: tags }),
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.text();
    if (!response.ok) throw new Error(`Fastly answered ${response.status} to a purge`);
  }
  return {
    async purge(tags, patienceMs) {
      await Promise.all(inParts(tags, TAGS_A_CALL).map((part) => call(part, patienceMs)));
    },
    hints(_control, headers) {
      const tags = headerOf(headers, 'cache-tag');
      return tags === undefined ? [] : ['surrogate-key', tags.replaceAll(',', ' ')];
    },
  };
}
