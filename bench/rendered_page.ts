import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startListening } from './children.ts';
import type { Figure } from './figure.ts';
import { compareUnderLoad } from './load.ts';
import { openPlace } from './place.ts';
import { ask } from './raw.ts';

const PROJECT = resolve(import.meta.dirname, '..');
const CONNECTIONS = 10;
/** A query that nobody knows is answered for whoever asks alone. */
const ANEW = '/ana/?anew=1';

export const renderedPage: Figure = {
  name: 'rendered-page',
  what: 'artist page rendered anew from the database',
  yardstick: 'a minimal Astro page of the same HTML from constants',
  toReach: { atLeast: 0.6 },
  how: `Answers per second on ${CONNECTIONS} connections, of the designs page of a demo artist, past the page cache by a query that it does not know. The yardstick is an Astro project of one page with the same HTML as a constant, built with the same adapter and served by the same front.`,
  async measure(scale) {
    await using place = await openPlace();
    await using server = await place.serve();
    const { status, body } = await ask(server.url + ANEW, {});
    if (status !== 200) throw new Error(`${ANEW} is answered ${status}`);
    await using minimal = await buildMinimal(body.toString());
    await using bare = await startListening('bench/yardsticks/astro_page.ts', {
      DIST: minimal.dist,
      NODE_ENV: 'production',
    });
    const same = await ask(bare.url + ANEW, {});
    if (same.body.length !== body.length) throw new Error('The minimal page is another one');
    const how = { connections: CONNECTIONS, seconds: scale === 'full' ? 5 : 3 };
    const measured = await compareUnderLoad(
      scale === 'full' ? 9 : 3,
      { ...how, url: server.url + ANEW, pid: server.pid },
      { ...how, url: bare.url + ANEW, pid: bare.pid },
    );
    const notes = [`The page has ${body.length} bytes.`, ...(measured.notes ?? [])];
    return { ...measured, notes };
  },
};

/** An Astro project of one page, built as ours is. */
async function buildMinimal(html: string): Promise<AsyncDisposable & { readonly dist: string }> {
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
      `import node from '@astrojs/node';
import { defineConfig } from 'astro/config';
export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'middleware', experimentalDisableStreaming: true }),
});
`,
    );
    const astro = join(PROJECT, 'node_modules/astro/bin/astro.mjs');
    await promisify(execFile)(process.execPath, [astro, 'build'], {
      cwd: folder,
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
    });
    return { dist: join(folder, 'dist'), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
