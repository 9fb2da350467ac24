import { execFile } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openFolder } from '#support/folder.ts';

const PROJECT = join(import.meta.dirname, '../..');

test('a build for another host names the command that installs its adapter when it is missing', async () => {
  const folder = await openFolder();
  await cp(join(PROJECT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  await cp(join(PROJECT, 'package.json'), join(folder, 'package.json'));
  for (const name of ['src', 'node_modules'])
    await symlink(join(PROJECT, name), join(folder, name));
  const build = promisify(execFile)(process.execPath, ['scripts/build.ts'], {
    cwd: folder,
    env: { ...process.env, ADAPTER: 'vercel' },
  });
  await expect(build).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'The adapter for vercel is not installed: run `npm ci --prefix deploy/vercel`.\n',
  });
});
