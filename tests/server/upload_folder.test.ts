import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { prepareUploadFolder } from '#server/upload_folder.ts';

test('the next start deletes unfinished uploads of a killed process', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'linework-uploads-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const folder = await prepareUploadFolder(dataDir, true, Date.now());
  const addUpload = async (name: string, minutesAgo: number) => {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'body'), 'half a picture');
    const then = new Date(Date.now() - minutesAgo * 60_000);
    await utimes(join(folder, name), then, then);
  };
  await addUpload('old', 90);
  await addUpload('young', 5);
  // Servers that share the directory may still be receiving recent uploads.
  await prepareUploadFolder(dataDir, false, Date.now());
  expect(await readdir(folder)).toEqual(['young']);
  await prepareUploadFolder(dataDir, true, Date.now());
  expect(await readdir(folder)).toEqual([]);
});
