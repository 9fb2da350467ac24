import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareUploadFolder } from '#server/upload_folder.ts';
import { openFolder } from '#support/folder.ts';

test('the next start deletes unfinished uploads of a killed process', async () => {
  const dataDir = await openFolder();
  const folder = await prepareUploadFolder(dataDir, { ownsDataDirectory: true, now: Date.now() });
  const addUpload = async (name: string, minutesAgo: number) => {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'body'), 'half a picture');
    const then = new Date(Date.now() - minutesAgo * 60_000);
    await utimes(join(folder, name), then, then);
  };
  await addUpload('old', 90);
  await addUpload('young', 5);
  // Servers that share the directory may still be receiving recent uploads.
  await prepareUploadFolder(dataDir, { ownsDataDirectory: false, now: Date.now() });
  expect(await readdir(folder)).toEqual(['young']);
  await prepareUploadFolder(dataDir, { ownsDataDirectory: true, now: Date.now() });
  expect(await readdir(folder)).toEqual([]);
});
