import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Benchmark } from './benchmark.ts';
import { PRODUCTION_ENVIRONMENT, startServer } from './child_server.ts';
import { compareUnderLoad } from './load.ts';
import { getRaw } from './raw_http.ts';
import { openSandbox } from './sandbox.ts';

const PROJECT = resolve(import.meta.dirname, '..');
const CONNECTIONS = 10;
/** A response to an unknown query parameter is never cached. */
const UNCACHED_PATH = '/ana/?uncached=1';

export const renderedPage: Benchmark = {
  name: 'rendered-page',
  title: 'artist page rendered from the database, not cached',
  baseline: 'a minimal Astro page of the same HTML from constants',
  target: { atLeast: 0.4 },
  method: `Answers per second on ${CONNECTIONS} connections, of the designs page of a demo artist, not cached because of an unknown query parameter. The yardstick is an Astro project of one page with the same HTML as a constant, built with the same adapter and served by the same front.`,
  async measure(scale) {
    await using place = await openSandbox();
    await using server = await place.serve();
    const { status, body } = await getRaw(server.url + UNCACHED_PATH, {});
    if (status !== 200) throw new Error(`${UNCACHED_PATH} is answered ${status}`);
    await using minimal = await buildMinimalSite(body.toString());
    await using bare = await startServer('bench/baselines/astro_page.ts', { DIST: minimal.dist });
    const minimalPage = await getRaw(bare.url + UNCACHED_PATH, {});
    if (minimalPage.body.length !== body.length)
      throw new Error('The minimal page has other content');
    const how = { connections: CONNECTIONS, seconds: scale === 'full' ? 5 : 3 };
    const measured = await compareUnderLoad(
      scale === 'full' ? 9 : 3,
      { ...how, url: server.url + UNCACHED_PATH, pid: server.pid },
      { ...how, url: bare.url + UNCACHED_PATH, pid: bare.pid },
    );
    const notes = [`The page has ${body.length} bytes.`, ...(measured.notes ?? [])];
    return { ...measured, notes };
  },
};

/** An Astro project of one page, built as ours is. */
async function buildMinimalSite(
  html: string,
): Promise<AsyncDisposable & { readonly dist: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'linework-bench-astro-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
    await mkdir(join(folder, 'src/pages'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    await writeFile(join(folder, 'src/page.html'), html);
    await writeFile(
      join(folder, 'src/pages/[...path].astro'),
      `---\nimport html from '../page.html?raw';\n---\n<Fragment set:html={html} />\n`,
    );
    await writeFile(
      join(folder, 'astro.config.mjs'),
      `import { defineConfig } from 'astro/config';
import { importAdapter } from '${join(PROJECT, 'scripts/adapter.ts')}';
const { adapter, integrations } = await importAdapter('node');
export default defineConfig({ output: 'server', adapter, integrations, session: false });
`,
    );
    const astro = join(PROJECT, 'node_modules/astro/bin/astro.mjs');
    await promisify(execFile)(process.execPath, [astro, 'build'], {
      cwd: folder,
      env: { ...process.env, ...PRODUCTION_ENVIRONMENT, ASTRO_TELEMETRY_DISABLED: '1' },
    });
    return { dist: join(folder, 'dist'), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
