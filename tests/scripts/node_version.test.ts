import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openFolder } from '#support/folder.ts';

const PROJECT = join(import.meta.dirname, '../..');

/** Runs one of the project's files, with `process.versions.node` set to another version. */
async function runAsNode(version: string, file: string) {
  const folder = await openFolder();
  const hook = join(folder, 'hook.mjs');
  await writeFile(
    hook,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );
  return promisify(execFile)(process.execPath, [
    '--import',
    pathToFileURL(hook).href,
    join(PROJECT, file),
  ]);
}

test.each([
  ['20.20.2', 'server.js'],
  ['22.20.0', 'src/server/main.ts'],
  ['23.11.1', 'scripts/start.ts'],
  ['22.18.0', 'scripts/build.ts'],
])('on Node %s, %s fails with one line that names the required version', async (version, file) => {
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

test('every command of package.json and the configuration of Vitest begin with this check', async () => {
  const { scripts } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
  const commands = Object.values(scripts).filter((command) => /node .*\.ts/.test(String(command)));
  expect(commands.length).toBeGreaterThan(20);
  for (const command of commands)
    expect(command).toMatch(/(^| )node --import \.\/scripts\/node_version\.js \S+\.ts/);
  // An older Node cannot even read a TypeScript file, so no document begins with one.
  for (const file of ['README.md', 'docs/deploy.md', 'docs/restore.md'])
    expect(await readFile(join(PROJECT, file), 'utf8'), file).not.toMatch(/(^|[ /`])node \S+\.ts/m);
  const configuration = await readFile(join(PROJECT, 'vitest.config.ts'), 'utf8');
  expect(configuration).toMatch(/^import '\.\/scripts\/node_version\.js';/);
});
