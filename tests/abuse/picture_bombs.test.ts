import { readFile, writeFile } from 'node:fs/promises';
import { setInterval as everyMs } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  claimSize,
  createDeepPicture,
  createLargePicture,
  createMultiScanJpeg,
  createPng,
  createPngWithTexts,
} from '#support/picture_bombs.ts';
import { createMultipart, createPicture } from '#support/pictures.ts';
import { openDemo, queryDatabase, type RunningServer } from '#support/sandbox.ts';
import { call, logIn } from '../load/bookings.ts';
import { abuseMode } from './abuse_mode.ts';

const MAX_MEGABYTES_ABOVE_REST = 300;
const POLL_INTERVAL_MS = 100;

type Bomb = readonly [name: string, create: () => Promise<Buffer> | Buffer, status: number];

const large = createLargePicture;
const REFUSED: readonly Bomb[] = [
  ['WebP of 100 megapixels', () => large(10_000, 10_000).webp({ effort: 0 }).toBuffer(), 413],
  ['JPEG with three scans', () => createMultiScanJpeg(8000, 6250), 413],
  ['PNG with many texts', () => createPngWithTexts(100), 413],
  ['PNG of one row', () => createPng(50_000_000, 1), 413],
];
const LARGEST: readonly Bomb[] = [
  ['PNG of 50 megapixels with 16 bits', () => createPng(8000, 6250), 201],
  ['wide PNG of 50 megapixels', () => createPng(16_384, 3051), 201],
  ['tall PNG', () => createPng(3051, 16_384), 201],
  ['rotated PNG', () => rotated(large(8000, 6250)).png().toBuffer(), 201],
  ['interlaced PNG', () => large(6000, 4000).png({ progressive: true }).toBuffer(), 201],
  [
    'interlaced PNG with 16 bits',
    () => createDeepPicture(4000, 3000).png({ progressive: true }).toBuffer(),
    201,
  ],
  ['WebP', () => large(2399, 10_004).webp({ lossless: true, effort: 0 }).toBuffer(), 201],
  ['AVIF', () => large(4000, 3125).avif({ effort: 0 }).toBuffer(), 201],
  ['AVIF of a false size', async () => claimSize(await avif(4000, 3000), 100, 100), 422],
  ['rotated JPEG', () => rotated(large(8000, 6250)).jpeg().toBuffer(), 201],
  ['progressive JPEG', () => progressive(rotated(large(6000, 4000))), 201],
  ['progressive CMYK', () => progressive(large(6000, 4000).toColourspace('cmyk')), 201],
];
// Making the pictures takes most of the time.
const BOMBS =
  abuseMode === 'full' ? [...REFUSED, ...LARGEST] : [...REFUSED.slice(1), ...LARGEST.slice(4, 8)];

test('bombs cost less than 300 MB, and meanwhile the picture of another artist is stored', async () => {
  await using sandbox = await openDemo();
  const server = await sandbox.serve({
    env: {
      RATE_LIMIT: 'on',
      // As `npm start` sets them.
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '131072',
    },
  });
  const [ana, bo] = [await logIn(server, 'ana'), await logIn(server, 'bo')];
  const picture = await createPicture();
  expect((await upload(server, bo, picture)).status).toBe(201);
  const bombs = [];
  for (const [name, create, status] of BOMBS) bombs.push({ name, bytes: await create(), status });

  const rest = await readMegabytes(server.pid, 'VmRSS');
  await resetPeak(server.pid);
  const attack = Promise.all(
    bombs.map(async ({ name, bytes }) => ({
      name,
      status: (await upload(server, ana, bytes)).status,
    })),
  );
  // Answered before the waiting pictures of the other artist.
  const isAttackOver = attack.then(() => 'attack');
  const other = upload(server, bo, picture).then(({ status }) => status);
  expect(await Promise.race([isAttackOver, other])).toBe(201);
  expect(await attack).toEqual(bombs.map(({ name, status }) => ({ name, status })));
  await untilAvifIsEncoded(await sandbox.databaseUrl());
  const used = (await readMegabytes(server.pid, 'VmHWM')) - rest;
  console.log(`Picture bombs: ${used.toFixed(0)} MB above ${rest.toFixed(0)} MB`);
  expect(used).toBeLessThan(MAX_MEGABYTES_ABOVE_REST);
});

function upload(server: RunningServer, token: string, bytes: Uint8Array) {
  const multipart = createMultipart([bytes]);
  return call(server, 'POST /images/portfolio/upload', { token, multipart });
}

async function untilAvifIsEncoded(database: string): Promise<void> {
  for await (const _ of everyMs(POLL_INTERVAL_MS)) {
    const rows = await queryDatabase(
      database,
      "SELECT id FROM images WHERE NOT 'avif' = ANY(formats)",
    );
    if (rows.length === 0) return;
  }
}

/** Reads a figure of Linux: `VmRSS` is the memory of a process now, `VmHWM` its peak. */
async function readMegabytes(pid: number, figure: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${figure}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}

function rotated(picture: ReturnType<typeof large>) {
  return picture.withMetadata({ orientation: 6 });
}

function progressive(picture: ReturnType<typeof large>): Promise<Buffer> {
  return picture.jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer();
}

function avif(width: number, height: number): Promise<Buffer> {
  return large(width, height).avif({ effort: 0 }).toBuffer();
}
