// `npm run dev`: the API as a process that restarts when the server's sources change, and Astro's
// development server in front of it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { dev } from 'astro';
import { listenForShutdown } from '../src/server/shutdown.ts';
import { exitUnlessServedHere } from './adapter.ts';

const ROOT = resolve(import.meta.dirname, '..');
const WATCHED_FOLDERS = ['server', 'cache', 'domain', 'contract'].map((room) =>
  join(ROOT, 'src', room),
);
/** How long to wait for further changes: an editor saves in several steps. */
const DEBOUNCE_MS = 100;

const port = Number(process.env['PORT'] || 4321);
const apiPort = port + 1;
const { signal: end } = listenForShutdown();
/** The running API; undefined while it has ended. */
let api: ChildProcess | undefined;
/** Set once a source has changed, until the API starts again. */
let reloading: NodeJS.Timeout | undefined;

/** Starts the API, and watches the sources until one of them changes. */
function startApi(): void {
  reloading = undefined;
  const watching = watchSources(reload);
  const child = spawn(process.execPath, ['src/server/main.ts', '--api-only'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, PORT: String(apiPort), SITE_URL: `http://localhost:${port}` },
  });
  api = child;
  child.once('exit', () => {
    api = undefined;
    if (end.aborted) return;
    // `reload` has ended it.
    if (reloading) runAgain();
    else console.log('The API has ended. It starts again when one of its sources changes.');
  });

  function runAgain(): void {
    watching.abort();
    startApi();
  }
  function reload(): void {
    clearTimeout(reloading);
    reloading = setTimeout(() => (api ? api.kill('SIGTERM') : runAgain()), DEBOUNCE_MS);
  }
}

/** Watches each folder by itself: Node's recursive watch loses a file that an editor replaces by another. */
function watchSources(changed: () => void): AbortController {
  const watching = new AbortController();
  const below = WATCHED_FOLDERS.flatMap((room) =>
    readdirSync(room, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const folder of [...WATCHED_FOLDERS, ...below])
    watch(folder, { signal: watching.signal, persistent: false }, (_event, name) => {
      if (name && /^[^.].*\.(ts|sql|json)$/.test(name)) changed();
    });
  return watching;
}

exitUnlessServedHere();
startApi();
process.env['API_URL'] = `http://127.0.0.1:${apiPort}`;
const site = await dev({
  root: ROOT,
  server: { port, host: process.env['HOST'] || '127.0.0.1' },
});
if (!end.aborted) await once(end, 'abort');
clearTimeout(reloading);
await site.stop();
if (api) {
  const ended = once(api, 'exit');
  api.kill('SIGTERM');
  await ended;
}
process.exit(0);
