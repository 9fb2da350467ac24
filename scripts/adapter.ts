// Astro's adapters: the site can be built for our own server, for a Node server of its own, and for other hosts.
import { realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AstroIntegration, AstroUserConfig } from 'astro';
import { isInstalled, resolvePackageUrl } from './optional_packages.ts';
import { precompress } from './precompress.ts';

const ROOT = resolve(import.meta.dirname, '..');
const HOSTS = ['node', 'node-standalone', 'cloudflare', 'netlify', 'vercel'] as const;
/** What runs the built site. `node` is our own server, `node-standalone` the server of `@astrojs/node`. */
export type Host = (typeof HOSTS)[number];
type OtherHost = Exclude<Host, 'node' | 'node-standalone'>;

/** The parts of the Astro configuration that depend on the host. */
interface HostSetup {
  readonly adapter: AstroIntegration;
  readonly integrations: AstroIntegration[];
  readonly plugins: NonNullable<NonNullable<AstroUserConfig['vite']>['plugins']>;
}

const ADAPTER_OPTIONS: Readonly<Record<OtherHost, object>> = {
  cloudflare: {
    configPath: 'deploy/cloudflare/wrangler.jsonc',
    // The site prerenders no page and resizes no image, so it needs none of the host's services for that.
    prerenderEnvironment: 'node',
    imageService: 'passthrough',
  },
  netlify: { imageCDN: false },
  vercel: {},
};

/** @param name of a host, as in `ADAPTER`; undefined or '' is `node`. @throws an Error that names the choices */
export function parseHost(name: string | undefined): Host {
  const host = HOSTS.find((one) => one === (name || 'node'));
  if (!host) throw new Error(`ADAPTER must be one of ${HOSTS.join(', ')}, and not ${name}.`);
  return host;
}

/** Ends the process if `ADAPTER` is not `node`: `npm start` and `npm run dev` serve the site only by our own server. */
export function exitUnlessServedHere(): void {
  try {
    const host = parseHost(process.env['ADAPTER']);
    if (host === 'node') return;
    console.error(
      `ADAPTER=${host} is only for \`npm run build\`: unset it, or serve that build as docs/deploy.md says.`,
    );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  process.exit(1);
}

/** The folder into which Astro builds. A build for another host leaves that of our own server alone. */
export function outDirOf(host: Host): string {
  return host === 'node' ? 'dist' : `dist-${host}`;
}

/** Whether the host is not a Node server. The packages for such a host are in `deploy/<host>`. */
export function isOtherHost(host: Host): host is OtherHost {
  return host !== 'node' && host !== 'node-standalone';
}

/** @throws an Error if the packages of a host are not installed, which names the command that installs them */
export function assertInstalled(host: Host): void {
  if (!isOtherHost(host) || isInstalled(`deploy/${host}`)) return;
  throw new Error(
    `The adapter for ${host} is not installed: run \`npm ci --prefix deploy/${host}\`.`,
  );
}

/** Loads Astro's adapter for the host, with the integrations and Vite plugins that it needs here. */
export async function importAdapter(host: Host): Promise<HostSetup> {
  if (isOtherHost(host)) return importHostAdapter(host);
  const { default: open } = await import('@astrojs/node');
  const mode = host === 'node' ? 'middleware' : 'standalone';
  return {
    // src/non_streaming.ts says why pages are not streamed.
    adapter: open({ mode, experimentalDisableStreaming: true }),
    integrations: host === 'node' ? [astroLog, siteEntry, precompress()] : [astroLog],
    plugins: [],
  };
}

/** Replaces Astro's log in builds for Node. `astro dev` prints its messages itself. */
const astroLog: AstroIntegration = {
  name: 'linework:log',
  hooks: {
    'astro:config:setup': ({ command, updateConfig }) => {
      if (command === 'build')
        updateConfig({ logger: { entrypoint: join(ROOT, 'src/astro_log.ts') } });
    },
  },
};

/** Gives the build for our own server an entry that returns pages. That of `@astrojs/node` sends them itself. */
const siteEntry: AstroIntegration = {
  name: 'linework:entry',
  hooks: {
    'astro:config:done': async ({ setAdapter }) => {
      const { getAdapter } = await import('@astrojs/node');
      const serverEntrypoint = new URL('../src/site_entry.ts', import.meta.url);
      setAdapter({ ...getAdapter({ staticHeaders: false }), serverEntrypoint });
    },
  },
};

/** Adapters of other hosts are installed in `deploy/<host>`, where the project's imports do not look. */
async function importHostAdapter(host: OtherHost): Promise<HostSetup> {
  assertInstalled(host);
  const name = `@astrojs/${host}`;
  const manifest = join(ROOT, 'deploy', host, 'package.json');
  resolveSharedPackages(join(ROOT, 'deploy', host, 'node_modules'));
  const { default: open }: { default: (options: object) => AstroIntegration } = await import(
    resolvePackageUrl(`deploy/${host}`, name)
  );
  const plugins: HostSetup['plugins'] = [
    {
      name: 'linework:adapter-packages',
      enforce: 'pre',
      // Put into the bundle, because Node would look for these in the project's own packages.
      config: () => ({ ssr: { noExternal: [name, '@astrojs/internal-helpers'] } }),
      resolveId: {
        // Astro writes a slash before the name when it does not find the package.
        filter: { id: new RegExp(`^/?${name}(/|$)`) },
        handler(id) {
          return this.resolve(id.replace(/^\//, ''), manifest, { skipSelf: true });
        },
      },
    },
  ];
  return { adapter: open(ADAPTER_OPTIONS[host]), integrations: [], plugins };
}

/** Makes an adapter's packages import the project's Astro and Vite: two Vites in one build do not work together. */
function resolveSharedPackages(folder: string): void {
  const folderUrl = pathToFileURL(`${realpathSync(folder)}/`).href;
  const project = pathToFileURL(join(ROOT, 'package.json')).href;
  registerHooks({
    resolve(specifier, context, next) {
      const isShared = /^(astro|vite)(\/|$)/.test(specifier);
      if (!isShared || !context.parentURL?.startsWith(folderUrl)) return next(specifier, context);
      return next(specifier, { ...context, parentURL: project });
    },
  });
}
