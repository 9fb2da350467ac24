import { mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDataDirectory } from '#server/database/bundled/data_directory.ts';

async function openFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'linework-data-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('a data directory is made with the folders above it', async () => {
  const path = join(await openFolder(), 'a/b/data');
  expect(await openDataDirectory(`${path}/`)).toBe(path);
  expect((await stat(path)).isDirectory()).toBe(true);
  expect(await openDataDirectory(path)).toBe(path);
});

test('two servers that make the same data directory at once both get it', async () => {
  const path = join(await openFolder(), 'a/b/data');
  expect(await Promise.all([openDataDirectory(path), openDataDirectory(path)])).toEqual([
    path,
    path,
  ]);
});

test('a link to a folder is followed', async () => {
  const folder = await openFolder();
  await mkdir(join(folder, 'real'));
  await symlink(join(folder, 'real'), join(folder, 'link'));
  expect(await openDataDirectory(join(folder, 'link'))).toBe(join(folder, 'real'));
});

test('a file, or a folder below one, is refused in one sentence', async () => {
  const file = join(await openFolder(), 'file');
  await writeFile(file, 'in the way');
  for (const [path, code] of [
    [file, 'EEXIST'],
    [join(file, 'below'), 'ENOTDIR'],
  ])
    await expect(openDataDirectory(path ?? '')).rejects.toThrow(
      `Cannot write to the data directory ${path} (${code}). Make it a folder this user may write to, or set DATA_DIR to another one.`,
    );
});

// Node's own `mkdir` with `recursive` asks the kernel again for ever there.
test.runIf(process.platform === 'linux')(
  'a path below /proc is refused and not tried for ever',
  async () => {
    await expect(openDataDirectory('/proc/linework/data')).rejects.toThrow(
      /^Cannot write to the data directory \/proc\/linework\/data \(ENOENT\)\./,
    );
  },
);
