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

/** All configured CDNs and Varnish servers as one adapter; undefined when there are none. */
export function createCdns({ varnishUrls, cloudflare, fastly }: CdnConfig): CdnAdapter | undefined {
  // In the order of the purges. Varnish comes first, as CDNs may fetch pages from Varnish: a CDN
  // that is purged earlier could get the old page again. The order of the CDNs does not matter.
  const adapters = [
    varnishUrls.length > 0 ? createVarnishAdapter(varnishUrls) : undefined,
    cloudflare && createCloudflareAdapter(cloudflare),
    fastly && createFastlyAdapter(fastly),
  ].filter((adapter) => adapter !== undefined);
  if (adapters.length === 0) return undefined;
  return {
    async purge(tags, timeoutMs) {
      // All adapters purge, even if one fails; then the first error is thrown.
      const errors: unknown[] = [];
      for (const adapter of adapters)
        await adapter.purge(tags, timeoutMs).catch((error: unknown) => errors.push(error));
      if (errors.length > 0) throw errors[0];
    },
    cdnHeaders: (surrogate, headers) =>
      adapters.flatMap((adapter) => adapter.cdnHeaders?.(surrogate, headers) ?? []),
  };
}
