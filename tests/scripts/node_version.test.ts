import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '../..');

/** Runs one of the project's files by this Node, which says that it is another version. */
async function runAsNode(version: string, file: string) {
  const folder = await mkdtemp(join(tmpdir(), 'linework-node-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const pretend = join(folder, 'pretend.mjs');
  await writeFile(
    pretend,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );
  return promisify(execFile)(process.execPath, [
    '--import',
    pathToFileURL(pretend).href,
    join(PROJECT, file),
  ]);
}

test.each([
  ['20.20.2', 'server.js'],
  ['22.20.0', 'server.js'],
  ['22.20.0', 'src/server/main.ts'],
  ['22.20.0', 'scripts/build.ts'],
  ['23.11.1', 'scripts/start.ts'],
])('Node %s is told in one line that it is too old for %s', async (version, file) => {
  await expect(runAsNode(version, file)).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      new RegExp(
        `^Linework needs Node 24 or newer, and this is Node ${version}: .*npm start.*\\n$`,
      ),
    ),
  });
});
