import type { AstroIntegration } from 'astro';

const HOSTS = ['node', 'cloudflare', 'netlify', 'vercel'] as const;
export type Host = (typeof HOSTS)[number];

/**
 * What the site is built for, as `ADAPTER` names it; unset or '' is Node.
 * @throws an Error that names the choices
 */
export function hostOf(name: string | undefined): Host {
  const host = HOSTS.find((one) => one === (name || 'node'));
  if (!host) throw new Error(`ADAPTER must be one of ${HOSTS.join(', ')}, and not ${name}.`);
  return host;
}

/** The folder that Astro builds into: a build for elsewhere spares the one that runs here. */
export function buildFolder(host: Host): string {
  return host === 'node' ? 'dist' : `dist-${host}`;
}

/** Astro's adapter for the host; the others are not even loaded. */
export async function openAdapter(host: Host): Promise<AstroIntegration> {
  switch (host) {
    case 'node': {
      const { default: node } = await import('@astrojs/node');
      return node({
        mode: 'middleware',
        // Why, is told in src/whole_pages.ts.
        experimentalDisableStreaming: true,
        bodySizeLimit: 512 * 1024,
      });
    }
    case 'cloudflare': {
      const { default: cloudflare } = await import('@astrojs/cloudflare');
      // No page is made ahead and no image is resized: neither needs anything of the host.
      return cloudflare({ prerenderEnvironment: 'node', imageService: 'passthrough' });
    }
    case 'netlify': {
      const { default: netlify } = await import('@astrojs/netlify');
      return netlify({ imageCDN: false });
    }
    case 'vercel': {
      const { default: vercel } = await import('@astrojs/vercel');
      return vercel();
    }
  }
}
