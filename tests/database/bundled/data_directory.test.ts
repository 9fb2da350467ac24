import { chmod, mkdir, mkdtemp, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ensureDataDirectory } from '#server/database/bundled/data_directory.ts';

async function openFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'linework-data-')));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('a data directory is created with its parent folders', async () => {
  const path = join(await openFolder(), 'a/b/data');
  expect(await ensureDataDirectory(`${path}/`)).toBe(path);
  expect((await stat(path)).isDirectory()).toBe(true);
  expect(await ensureDataDirectory(path)).toBe(path);
});

test('two servers can create the same data directory concurrently', async () => {
  const path = join(await openFolder(), 'a/b/data');
  expect(await Promise.all([ensureDataDirectory(path), ensureDataDirectory(path)])).toEqual([
    path,
    path,
  ]);
});

test('a symlink to a folder is resolved', async () => {
  const folder = await openFolder();
  await mkdir(join(folder, 'real'));
  await symlink(join(folder, 'real'), join(folder, 'link'));
  expect(await ensureDataDirectory(join(folder, 'link'))).toBe(join(folder, 'real'));
});

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

// Root's PostgreSQL runs as another user, who must pass through.
const CLOSED = process.getuid?.() === 0 ? '711' : '700';

test('only our own user can list a data directory', async () => {
  const path = join(await openFolder(), 'parent/data');
  await ensureDataDirectory(path);
  expect(await modeOf(path)).toBe(CLOSED);
});

test('the folders of a copied data directory are closed to other users', async () => {
  const path = await openFolder();
  for (const name of ['', 'media', 'uploads', 'outbox', 'postgres']) {
    await mkdir(join(path, name), { recursive: true });
    await chmod(join(path, name), 0o755);
  }
  await ensureDataDirectory(path);
  const names = ['', 'media', 'uploads', 'outbox', 'postgres'];
  const modes = await Promise.all(names.map((name) => modeOf(join(path, name))));
  expect(modes).toEqual([CLOSED, '700', '700', '700', '755']);
});

test('permissions that the operator took away stay away', async () => {
  const path = await openFolder();
  await chmod(path, 0o700);
  await ensureDataDirectory(path);
  expect(await modeOf(path)).toBe('700');
});
