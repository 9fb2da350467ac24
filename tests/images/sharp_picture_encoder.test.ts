import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { Refusal } from '#domain/refusal.ts';
import { DamagedPicture } from '#server/images/picture_encoder.ts';
import { createSharpPictureEncoder } from '#server/images/sharp_picture_encoder.ts';
import {
  claimSize,
  createDeepPicture,
  createLargePicture,
  createMultiScanJpeg,
  createPng,
  createPngWithTexts,
} from '#support/picture_bombs.ts';

const FOLDER = await mkdtemp(join(tmpdir(), 'linework-pictures-'));
afterAll(() => rm(FOLDER, { recursive: true }));
const WIDTHS = [320, 640, 1200];

async function store(bytes: Uint8Array): Promise<string> {
  const path = join(FOLDER, crypto.randomUUID());
  await writeFile(path, bytes);
  return path;
}

test('40 pictures of one artist may wait, and 100 of all; further ones are refused as busy', async () => {
  const encoder = createSharpPictureEncoder();
  const encode = (artist: string) =>
    encoder.encode('/missing.png', [320], artist).catch((error: unknown) => error);
  const artists = ['ana', 'bo', 'cleo'];
  const calls = artists.map((artist) => Array.from({ length: 45 }, () => encode(artist)));
  const errors = await Promise.all(calls.map((list) => Promise.all(list)));
  const isBusy = (error: unknown) => error instanceof Refusal && error.reason === 'busy';
  // The first picture does not wait: it is being encoded.
  expect(errors.map((list) => list.filter(isBusy).length)).toEqual([4, 5, 25]);
  // The file of the others is missing, which shows that they had their turn.
  for (const error of errors.flat().filter((other) => !isBusy(other)))
    expect(error).toBeInstanceOf(DamagedPicture);
  expect(await encode('cleo')).toBeInstanceOf(DamagedPicture);
});

describe('the limits of a picture by its header', () => {
  const whole = 'too_many_whole_pixels';
  const expensive = 'too_many_expensive_pixels';
  const refused: [string, () => Promise<Buffer> | Buffer, string][] = [
    ['a PNG of 51 megapixels', () => claimSize(createPng(8, 8), 8000, 6375), 'too_many_pixels'],
    ['a WebP of 25 megapixels', () => webp(5000, 5000), whole],
    ['a progressive JPEG of 25 megapixels', () => progressiveJpeg(5000, 5000), whole],
    ['a JPEG with a scan for each color', () => createMultiScanJpeg(5000, 5000), whole],
    ['an interlaced PNG of 25 megapixels', () => interlacedPng(5000, 5000), whole],
    ['an interlaced PNG with 16 bits', () => deepInterlacedPng(4000, 3200), expensive],
    ['an AVIF of 13 megapixels', () => avif(4000, 3200), expensive],
    ['a PNG of one row', () => createPng(16_385, 1), 'picture_too_long'],
    ['a PNG of one column', () => createPng(1, 16_385), 'picture_too_long'],
    ['a PNG with nine compressed texts', () => createPngWithTexts(9), 'too_much_picture_text'],
  ];
  test.each(refused)('refuse %s', async (_, create, reason) => {
    const path = await store(await create());
    const validation = createSharpPictureEncoder().validate(path, 'ana');
    await expect(validation).rejects.toMatchObject({ reason });
  });

  const allowed: [string, () => Promise<Buffer> | Buffer][] = [
    ['a PNG of 50 megapixels', () => claimSize(createPng(8, 8), 8000, 6250)],
    ['a WebP of 24 megapixels', () => webp(6000, 4000)],
    ['an AVIF of 12 megapixels', () => avif(4032, 3024)],
    ['a PNG with eight compressed texts', () => createPngWithTexts(8)],
  ];
  test.each(allowed)('allow %s', async (_, create) => {
    const path = await store(await create());
    await createSharpPictureEncoder().validate(path, 'ana');
  });
});

test('an AVIF that is larger than its container says is damaged', async () => {
  const path = await store(
    claimSize(await large(800, 600).avif({ effort: 0 }).toBuffer(), 100, 100),
  );
  await expect(createSharpPictureEncoder().encode(path, WIDTHS, 'ana')).rejects.toBeInstanceOf(
    DamagedPicture,
  );
});

// A picture with another color in each corner.
const CORNERS = await sharp({
  create: { width: 40, height: 20, channels: 3, background: '#ffffff' },
})
  .composite(
    ['#ff0000', '#00ff00', '#0000ff'].map((background, index) => ({
      input: { create: { width: 10, height: 10, channels: 3 as const, background } },
      left: index === 1 ? 30 : 0,
      top: index === 2 ? 10 : 0,
    })),
  )
  .removeAlpha()
  .png()
  .toBuffer();

test.each([1, 2, 3, 4, 5, 6, 7, 8])('a picture of orientation %i is shown upright', async (n) => {
  const bytes = await sharp(CORNERS).withMetadata({ orientation: n }).png().toBuffer();
  const encoded = await createSharpPictureEncoder().encode(await store(bytes), WIDTHS, 'ana');
  const upright = sharp(bytes).autoOrient();
  const { data, info } = await upright.raw().toBuffer({ resolveWithObject: true });
  const [variant] = encoded.variants;
  const pixels = await sharp(variant?.bytes).raw().toBuffer();
  expect([encoded.width, encoded.height]).toEqual([info.width, info.height]);
  // WebP changes colors a little.
  const differences = data.map((value, index) => Math.abs(value - (pixels[index] ?? 0)));
  expect(differences.reduce((sum, difference) => sum + difference) / data.length).toBeLessThan(12);
});

test('a very tall picture gets narrower variants with its own proportions', async () => {
  const path = await store(await large(1000, 10_000).png().toBuffer());
  const { width, height } = await createSharpPictureEncoder().encode(path, WIDTHS, 'ana');
  expect(width * height).toBeLessThanOrEqual(4_000_000);
  expect(height / width).toBeCloseTo(10, 1);
});

const large = createLargePicture;

async function webp(width: number, height: number): Promise<Buffer> {
  return claimSize(await large(8, 8).removeAlpha().webp().toBuffer(), width, height);
}

function progressiveJpeg(width: number, height: number): Promise<Buffer> {
  return large(width, height).jpeg({ progressive: true }).toBuffer();
}

async function interlacedPng(width: number, height: number): Promise<Buffer> {
  return claimSize(await large(8, 8).png({ progressive: true }).toBuffer(), width, height);
}

async function deepInterlacedPng(width: number, height: number): Promise<Buffer> {
  const small = await createDeepPicture(8, 8).png({ progressive: true }).toBuffer();
  return claimSize(small, width, height);
}

async function avif(width: number, height: number): Promise<Buffer> {
  return claimSize(await large(64, 64).avif({ effort: 0 }).toBuffer(), width, height);
}
