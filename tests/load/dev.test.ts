import { once } from 'node:events';
import { copyFile, rename } from 'node:fs/promises';
import { createServer, type Server as Listener } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isAlive, openPlace, untilGroupGone } from '#support/server.ts';
import { copyProgram } from './program.ts';

const START_MS = 20_000;

test('npm run dev serves pages and the API, reloads the API at every change, and Ctrl-C ends it all', async () => {
  await using place = await openPlace();
  const program = await copyProgram(join(dirname(place.dataDir), 'program'), { built: false });
  const port = await twoFreePorts();
  const dev = place.launch({ npm: ['run', 'dev'], program, env: { PORT: String(port) } });
  const readyTimes = (times: number) =>
    vi.waitFor(() => expect(dev.output().match(/is ready at/g)).toHaveLength(times), START_MS);

  await readyTimes(1);
  await dev.said(/watching for file changes/);
  const page = await fetch(`http://127.0.0.1:${port}/ana`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Ana');
  expect((await fetch(`http://127.0.0.1:${port}/api/v1/users/artist/ana`)).status).toBe(200);

  const source = join(program, 'src/server/rate_limit.ts');
  for (const times of [2, 3]) {
    // As many editors save: a new file in the place of the old one.
    await copyFile(source, `${source}~`);
    await rename(`${source}~`, source);
    await readyTimes(times);
  }
  expect((await fetch(`http://127.0.0.1:${port}/api/v1/users/artist/ana`)).status).toBe(200);

  const database = Number(await place.postmaster());
  process.kill(-dev.pid, 'SIGINT');
  await untilGroupGone(dev.pid);
  expect(await isAlive(database)).toBe(false);
});

/** A free port whose next one is free too, where the API goes. */
async function twoFreePorts(): Promise<number> {
  for (;;) {
    const first = await listen(0);
    const port = portOf(first);
    const second = await listen(port + 1).catch(() => undefined);
    first.close();
    second?.close();
    if (second) return port;
  }
}

async function listen(port: number): Promise<Listener> {
  const listener = createServer().listen(port, '127.0.0.1');
  await once(listener, 'listening');
  return listener;
}

function portOf(listener: Listener): number {
  const address = listener.address();
  return typeof address === 'object' && address ? address.port : 0;
}
