import { readdir } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import type { TestApp } from './test_app.ts';

/** A flat picture of that size, which every format makes small. */
export function createFlatPicture(width: number, height: number, background = '#8a1c1c'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** A picture as different from pixel to pixel as a photograph. */
export function createNoisyPicture(width: number, height: number): Sharp {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#8a1c1c',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });
}

/** A small picture that is fine in every way. */
export function createPicture(): Promise<Buffer> {
  return createFlatPicture(60, 40).jpeg().toBuffer();
}

/** A body with files under `file`, and texts. */
export function createMultipart(
  files: readonly (Uint8Array | Buffer | string)[],
  texts: Readonly<Record<string, string>> = {},
  name = 'picture.png',
): FormData {
  const body = new FormData();
  for (const [key, text] of Object.entries(texts)) body.set(key, text);
  for (const bytes of files) body.append('file', new Blob([toPart(bytes)]), name);
  return body;
}

function toPart(bytes: Uint8Array | string): BlobPart {
  return typeof bytes === 'string' ? bytes : new Uint8Array(bytes);
}

/** Every file that the studio keeps of pictures, and of calls, sorted. */
export async function listStoredFiles({ folders }: TestApp): Promise<string[]> {
  const lists = Object.values(folders).map((folder) => readdir(folder, { recursive: true }));
  return (await Promise.all(lists)).flat().sort();
}
