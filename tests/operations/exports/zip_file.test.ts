import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { writeZip } from '#server/operations/exports/zip_file.ts';

const NO_SIGNAL = new AbortController().signal;
const MEGABYTE = 1024 * 1024;

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'linework-zip-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'test.zip');
}

test('a ZIP file has the texts and pictures that were added, and its size is returned', async () => {
  const path = await newPath();
  const picture = crypto.getRandomValues(new Uint8Array(60_000));
  const size = await writeZip(path, NO_SIGNAL, async (zip) => {
    await zip.addText('a.txt', ['Zoë ', '🖋']);
    await zip.addPicture('pictures/schwälbe.webp', picture);
    await zip.addText('empty.txt', []);
  });
  const bytes = await readFile(path);
  const contents = unzipSync(bytes);
  expect(size).toBe(bytes.length);
  expect(Object.keys(contents)).toEqual(['a.txt', 'pictures/schwälbe.webp', 'empty.txt']);
  expect(Buffer.from(contents['a.txt'] ?? []).toString()).toBe('Zoë 🖋');
  expect(Buffer.from(contents['pictures/schwälbe.webp'] ?? []).equals(picture)).toBe(true);
});

test('an interruption ends the work with its reason, even while a text is awaited', async () => {
  const interruption = new AbortController();
  const work = writeZip(await newPath(), interruption.signal, (zip) =>
    zip.addText(
      'a.txt',
      (async function* () {
        yield 'one';
        interruption.abort(new Error('the server stops'));
        await new Promise(() => {});
      })(),
    ),
  );
  await expect(work).rejects.toThrow('the server stops');
});

test('an error while a text is read, or on a disk that cannot be written, fails the whole file', async () => {
  const failing = async function* () {
    yield 'one';
    throw new Error('The database is gone');
  };
  await expect(
    writeZip(await newPath(), NO_SIGNAL, (zip) => zip.addText('a.txt', failing())),
  ).rejects.toThrow('The database is gone');
  await expect(
    writeZip(join(await newPath(), 'missing', 'x.zip'), NO_SIGNAL, (zip) =>
      zip.addText('a.txt', ['one']),
    ),
  ).rejects.toThrow();
});

test('a file of 200 MB is written in little memory', async () => {
  const picture = crypto.getRandomValues(new Uint8Array(MEGABYTE / 16));
  const used = () => process.memoryUsage().arrayBuffers / MEGABYTE;
  const before = used();
  let most = 0;
  const size = await writeZip(await newPath(), NO_SIGNAL, async (zip) => {
    for (let nth = 0; nth < 200; nth += 1) {
      const parts = Array.from({ length: 16 }, () => picture);
      await zip.addPicture(`${nth}.webp`, Buffer.concat(parts));
      if (nth % 10 === 0) globalThis.gc?.();
      most = Math.max(most, used() - before);
    }
  });
  expect(size / MEGABYTE).toBeGreaterThan(200);
  expect(most).toBeLessThan(100);
});
