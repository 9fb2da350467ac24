import { copyFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { freePort } from '#support/free_port.ts';
import { isAlive, openDemo, START_MS, waitUntilGroupExited } from '#support/sandbox.ts';
import { copyProgram } from './program_copy.ts';

test('npm run dev serves pages and the API, restarts the API after a change, and stops it all on Ctrl-C', async () => {
  await using sandbox = await openDemo();
  const program = await copyProgram(join(dirname(sandbox.dataDir), 'program'), { built: false });
  // The API uses the next port.
  const port = await freePort(2);
  const dev = sandbox.launch({
    npmArgs: ['run', 'dev'],
    programFolder: program,
    env: { PORT: String(port) },
  });
  const waitUntilReady = (times: number) =>
    vi.waitFor(() => {
      const output = dev.output();
      expect(output.match(/is ready at/g) ?? [], output).toHaveLength(times);
    }, START_MS);

  await waitUntilReady(1);
  await dev.waitForOutput(/watching for file changes/);
  const page = await fetch(`http://127.0.0.1:${port}/ana`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Ana');
  expect((await fetch(`http://127.0.0.1:${port}/api/v1/users/artist/ana`)).status).toBe(200);

  const source = join(program, 'src/server/http/app.ts');
  for (const times of [2, 3]) {
    // Many editors save by replacing the file.
    await copyFile(source, `${source}~`);
    await rename(`${source}~`, source);
    await waitUntilReady(times);
  }
  expect((await fetch(`http://127.0.0.1:${port}/api/v1/users/artist/ana`)).status).toBe(200);

  const database = Number(await sandbox.postmaster());
  process.kill(-dev.pid, 'SIGINT');
  await waitUntilGroupExited(dev.pid);
  expect(await isAlive(database)).toBe(false);
});
