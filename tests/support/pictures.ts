import { readdir } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import type { ListPage } from '#contract/common.ts';
import type { UploadedImage } from '#contract/image.ts';
import { expectOk } from './call_api.ts';
import type { TestApp } from './test_app.ts';

/** A one-color picture, which is a small file in every format. */
export function createFlatPicture(width: number, height: number, background = '#8a1c1c'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } });
}

/** A noisy picture, which compresses as badly as a photograph. */
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

/** A small valid picture. */
export function createPicture(): Promise<Buffer> {
  return createFlatPicture(60, 40).jpeg().toBuffer();
}

/** A multipart body with files under `file`, and text fields. */
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

/** Uploads a picture to an artist's portfolio. */
export async function uploadPicture(
  app: TestApp,
  token: string,
  picture?: Buffer,
): Promise<UploadedImage> {
  const multipart = createMultipart([picture ?? (await createPicture())]);
  const path = 'POST /images/portfolio/upload';
  const { data } = await expectOk(app.call<ListPage<UploadedImage>>(path, { token, multipart }));
  const [image] = data;
  if (!image) throw new Error('The response has no picture');
  return image;
}

function toPart(bytes: Uint8Array | string): BlobPart {
  return typeof bytes === 'string' ? bytes : new Uint8Array(bytes);
}

/** All files in the media and upload folders, sorted. */
export async function listStoredFiles({ folders }: TestApp): Promise<string[]> {
  const lists = Object.values(folders).map((folder) => readdir(folder, { recursive: true }));
  return (await Promise.all(lists)).flat().sort();
}
