import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openUploadFolder } from '#server/upload_folder.ts';

test('what a killed process left of uploads is removed by the next start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'linework-uploads-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const folder = await openUploadFolder(dataDir, true, Date.now());
  const leave = async (name: string, minutesAgo: number) => {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'body'), 'half a picture');
    const then = new Date(Date.now() - minutesAgo * 60_000);
    await utimes(join(folder, name), then, then);
  };
  await leave('old', 90);
  await leave('young', 5);
  // Another server may be at it, where several share the directory.
  await openUploadFolder(dataDir, false, Date.now());
  expect(await readdir(folder)).toEqual(['young']);
  await openUploadFolder(dataDir, true, Date.now());
  expect(await readdir(folder)).toEqual([]);
});
