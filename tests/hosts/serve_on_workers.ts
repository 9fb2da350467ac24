import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serveApiFor } from '#support/browser_server.ts';
import { ensureInstalled, resolvePackageUrl } from '../../scripts/optional_packages.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
/** The part of wrangler's test harness that we use. Its package is optional, so its types are too. */
interface Workers {
  update(options: {
    readonly workers: readonly {
      readonly configPath: string;
      readonly vars: Readonly<Record<string, string>>;
    }[];
  }): Promise<void>;
  listen(): Promise<{ readonly url: URL }>;
  close(): Promise<void>;
}
/** No telemetry, no geolocation lookup, and only errors in the log. */
const QUIET_ENV = {
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_LOG: 'error',
};

/**
 * Serves the site as a Cloudflare Worker in the real `workerd`, and its API on Node. It is the tested
 * site until it is stopped.
 * @param settings of the Worker, without the URLs of its API
 * @returns stops both
 */
export async function serveOnWorkers(
  settings: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  ensureInstalled('deploy/cloudflare');
  await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/build.ts')], {
    cwd: ROOT,
    env: { ...process.env, ...QUIET_ENV, ADAPTER: 'cloudflare' },
  });
  Object.assign(process.env, QUIET_ENV);
  const { createTestHarness }: { createTestHarness: () => Workers } = await import(
    resolvePackageUrl('deploy/cloudflare', 'wrangler')
  );
  const workers = createTestHarness();
  const stopApi = await serveApiFor(async (api) => {
    await workers.update({
      workers: [
        {
          configPath: join(ROOT, 'dist-cloudflare/server/wrangler.json'),
          vars: { ...settings, API_URL: api, PUBLIC_API_URL: api },
        },
      ],
    });
    return (await workers.listen()).url.origin;
  }).catch(async (error: unknown) => {
    await workers.close();
    throw error;
  });
  return async () => {
    await stopApi();
    await workers.close();
  };
}
