import { copyFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { freePort } from '#support/free_port.ts';
import { isAlive, openSandbox, START_MS, waitUntilGroupExited } from '#support/sandbox.ts';
import { copyProgram } from './program_copy.ts';

test('npm run dev serves pages and the API, reloads the API at every change, and Ctrl-C ends it all', async () => {
  await using place = await openSandbox();
  const program = await copyProgram(join(dirname(place.dataDir), 'program'), { built: false });
  // The next one is the API's.
  const port = await freePort(2);
  const dev = place.launch({
    npmArgs: ['run', 'dev'],
    programFolder: program,
    env: { PORT: String(port) },
  });
  const readyTimes = (times: number) =>
    vi.waitFor(() => {
      const said = dev.output();
      expect(said.match(/is ready at/g) ?? [], said).toHaveLength(times);
    }, START_MS);

  await readyTimes(1);
  await dev.waitForOutput(/watching for file changes/);
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
  await waitUntilGroupExited(dev.pid);
  expect(await isAlive(database)).toBe(false);
});
