/** Decodes uploads and encodes variants (one per width) with sharp. */
import { open as openFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { refuse } from '#domain/refusal.ts';
import {
  DamagedPicture,
  type EncodedPicture,
  type ImageVariant,
  type PictureEncoder,
} from './picture_encoder.ts';
import { hasTransparency, type Pixels, toPixels, toSharp } from './pixels.ts';

const MAX_PIXELS = 50_000_000;
/** A taller variant is distorted to this height. WebP itself allows 16,383 pixels. */
const MAX_HEIGHT = 8000;
/** The number of uploads that are encoded at the same time; `MAX_WAITING` more may wait. */
const MAX_RUNNING = 2;
const MAX_WAITING = 100;

export const WEBP_OPTIONS = { quality: 80 } as const;
export const AVIF_OPTIONS = { quality: 55 } as const;
/** sharp's scale is 0 to 9. A higher effort takes seconds per picture, and saves few bytes. */
const AVIF_EFFORT = 2;

const PLACEHOLDER_WIDTH = 16;
const PLACEHOLDER_HEIGHTS = { min: 1, max: 24 };

/** sharp's names. sharp calls AVIF and HEVC `heif`, so `isAllowedFormat` checks the compression. */
const ALLOWED_FORMATS = new Set(['jpeg', 'png', 'webp']);

/** `sequentialRead` avoids decoding a large picture into memory as a whole. */
const READ_OPTIONS = {
  failOn: 'error',
  sequentialRead: true,
  limitInputPixels: MAX_PIXELS,
} as const;

/** Changes sharp's settings for the whole process. */
export function createSharpPictureEncoder(): PictureEncoder {
  sharp.cache(false);
  sharp.concurrency(Math.max(1, Math.floor(availableParallelism() / MAX_RUNNING)));
  // Decoders of other formats would only add security risks.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpeg',
      'VipsForeignLoadPng',
      'VipsForeignLoadWebp',
      'VipsForeignLoadHeif',
      // For share cards, which are SVG in memory. Uploads are files, so SVG uploads stay blocked.
      'VipsForeignLoadSvgBuffer',
    ],
  });
  const queue = new PQueue({ concurrency: MAX_RUNNING });
  return {
    validate,
    async encode(path, widths) {
      if (queue.size >= MAX_WAITING) throw refuse('busy');
      return queue.add(() => encode(path, widths));
    },
    encodeAvif,
  };
}

async function validate(path: string): Promise<void> {
  const header = await readHeader(path);
  if (!header && (await hasPictureSignature(path)))
    throw new DamagedPicture('The picture ends within its header');
  if (!header || !isAllowedFormat(header)) throw refuse('not_a_picture');
  if (header.width * header.height > MAX_PIXELS) throw refuse('too_many_pixels');
}

/** Whether a file begins like a JPEG, PNG, WebP or AVIF. */
async function hasPictureSignature(path: string): Promise<boolean> {
  await using file = await openFile(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(12), position: 0 });
  return /^(?:\xff\xd8\xff|\x89PNG|RIFF.{4}WEBP|.{4}ftypavi[fs])/s.test(
    buffer.toString('latin1', 0, bytesRead),
  );
}

/** Returns undefined if the header is unreadable. Allows any size: `validate` checks the pixels. */
async function readHeader(path: string): Promise<Metadata | undefined> {
  try {
    return await sharp(path, { limitInputPixels: false }).metadata();
  } catch {
    return undefined;
  }
}

function isAllowedFormat({ format, compression }: Metadata): boolean {
  return ALLOWED_FORMATS.has(format) || (format === 'heif' && compression === 'av1');
}

async function encode(path: string, widths: readonly number[]): Promise<EncodedPicture> {
  const picture = await decode(path, widths).catch((error: unknown) => {
    throw new DamagedPicture('The picture cannot be read to its end', { cause: error });
  });
  const { width, height } = picture;
  const variants: ImageVariant[] = [];
  for (const variantWidth of [...widths.filter((candidate) => candidate < width), width]) {
    const resized =
      variantWidth === width ? toSharp(picture) : toSharp(picture).resize(variantWidth);
    variants.push({ width: variantWidth, bytes: await resized.webp(WEBP_OPTIONS).toBuffer() });
  }
  return { width, height, variants, placeholder: await createPlaceholder(picture) };
}

/** Decodes a file once: rotated upright, in sRGB, without metadata, as wide as the widest variant. */
async function decode(path: string, widths: readonly number[]): Promise<Pixels> {
  const { autoOrient } = await sharp(path, READ_OPTIONS).metadata();
  const width = Math.min(autoOrient.width, Math.max(...widths));
  const height = Math.round((autoOrient.height * width) / autoOrient.width);
  return toPixels(
    sharp(path, READ_OPTIONS)
      .autoOrient()
      .resize(width, Math.min(Math.max(height, 1), MAX_HEIGHT), { fit: 'fill' }),
  );
}

async function encodeAvif(webp: Uint8Array, widths: readonly number[]): Promise<ImageVariant[]> {
  const variants: ImageVariant[] = [];
  for (const width of widths) {
    const resized = sharp(webp).resize(width);
    const bytes = await resized.avif({ ...AVIF_OPTIONS, effort: AVIF_EFFORT }).toBuffer();
    variants.push({ width, bytes });
  }
  return variants;
}

async function createPlaceholder(picture: Pixels): Promise<string | null> {
  return (await hasTransparency(picture)) ? null : encodePlaceholder(toSharp(picture), picture);
}

/** A tiny preview of a picture, as a data URI of a few hundred bytes. */
export async function encodePlaceholder(
  picture: Sharp,
  { width, height }: { width: number; height: number },
): Promise<string> {
  const { min, max } = PLACEHOLDER_HEIGHTS;
  const scaledHeight = Math.round((PLACEHOLDER_WIDTH * height) / width);
  const bytes = await picture
    .resize(PLACEHOLDER_WIDTH, Math.min(Math.max(scaledHeight, min), max), { fit: 'fill' })
    .webp({ quality: 50, effort: 6, smartSubsample: true })
    .toBuffer();
  return `data:image/webp;base64,${bytes.toString('base64')}`;
}
