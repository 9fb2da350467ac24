import { type CloudflareZone, createCloudflarePurge } from './cloudflare.ts';
import { createFastlyPurge, type FastlyService } from './fastly.ts';
import type { TagPurge } from './purge.ts';
import { createVarnishPurge } from './varnish.ts';

/** Who stands in front, as it is set up. */
export interface CachesInFront {
  /** As this server reaches them. */
  readonly varnishUrls: readonly string[];
  readonly cloudflare: CloudflareZone | undefined;
  readonly fastly: FastlyService | undefined;
}

/** All caches that stand in front, as one; undefined when there are none. */
export function openPurge({
  varnishUrls,
  cloudflare,
  fastly,
}: CachesInFront): TagPurge | undefined {
  // From the inside out: who is told first fetches from those that are told later otherwise.
  const all = [
    varnishUrls.length > 0 && createVarnishPurge(varnishUrls),
    cloudflare && createCloudflarePurge(cloudflare),
    fastly && createFastlyPurge(fastly),
  ].filter((one): one is TagPurge => Boolean(one));
  if (all.length === 0) return undefined;
  return {
    async purge(tags, patienceMs) {
      const failed: unknown[] = [];
      for (const one of all)
        await one.purge(tags, patienceMs).catch((error: unknown) => failed.push(error));
      if (failed.length > 0) throw failed[0];
    },
    hints: (control, headers) => all.flatMap(({ hints }) => hints?.(control, headers) ?? []),
  };
}
