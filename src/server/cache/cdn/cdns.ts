import type { CdnAdapter } from './cdn_adapter.ts';
import { type CloudflareZone, createCloudflareAdapter } from './cloudflare.ts';
import { createFastlyAdapter, type FastlyService } from './fastly.ts';
import { createVarnishAdapter } from './varnish.ts';

/** The configured CDNs and Varnish servers in front of our servers. */
export interface CdnConfig {
  /** Addresses at which this server reaches the Varnish servers. */
  readonly varnishUrls: readonly string[];
  readonly cloudflare: CloudflareZone | undefined;
  readonly fastly: FastlyService | undefined;
}

/** All configured CDNs as one adapter; undefined when there are none. */
export function createCdns({ varnishUrls, cloudflare, fastly }: CdnConfig): CdnAdapter | undefined {
  // In the order of the purges. Varnish is nearest to our servers, so it comes first: a CDN that is
  // purged before Varnish could fetch the old page from it. The order of the CDNs does not matter.
  const adapters = [
    varnishUrls.length > 0 && createVarnishAdapter(varnishUrls),
    cloudflare && createCloudflareAdapter(cloudflare),
    fastly && createFastlyAdapter(fastly),
  ].filter((adapter): adapter is CdnAdapter => Boolean(adapter));
  if (adapters.length === 0) return undefined;
  return {
    async purge(tags, timeoutMs) {
      // One failure must not prevent the other purges.
      const errors: unknown[] = [];
      for (const adapter of adapters)
        await adapter.purge(tags, timeoutMs).catch((error: unknown) => errors.push(error));
      if (errors.length > 0) throw errors[0];
    },
    cdnHeaders: (control, headers) =>
      adapters.flatMap((adapter) => adapter.cdnHeaders?.(control, headers) ?? []),
  };
}
