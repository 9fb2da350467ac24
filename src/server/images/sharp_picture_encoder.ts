/** Decodes uploads and encodes variants (one per width) with sharp. */
import { open as openFile, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { refuse } from '#domain/refusal.ts';
import { createFairQueue } from './fair_queue.ts';
import {
  DamagedPicture,
  type EncodedPicture,
  type ImageVariant,
  type PictureEncoder,
} from './picture_encoder.ts';
import { hasTransparency, type Pixels, toPixels, toSharp } from './pixels.ts';

const MAX_PIXELS = 50_000_000;
/** For pictures that are decoded into memory as a whole. */
const MAX_WHOLE_PIXELS = 24_000_000;
/** For pictures that need more memory for each pixel: an AVIF 18 bytes, an interlaced PNG up to 8. */
const MAX_EXPENSIVE_PIXELS = 12_500_000;
/** For the width and for the height: to make one row of a variant, many whole rows are decoded. */
const MAX_SIDE = 16_384;
/** How many compressed texts a PNG may have. libpng decompresses them all, each to at most 8 MB. */
const MAX_PNG_TEXTS = 8;
/** Tall pictures get narrower variants, of at most so many pixels. An AVIF encoder needs 42 bytes a pixel. */
const MAX_VARIANT_PIXELS = 4_000_000;
/** A taller variant is distorted to this height. WebP itself allows 16,383 pixels. */
const MAX_HEIGHT = 8000;
/** Each thread of the image library needs memory of its own. */
const MAX_THREADS = 4;
const MAX_WAITING = 100;
const MAX_WAITING_PER_ARTIST = 40;

/** sharp's options for all stored variants. The scale of `quality` is 1 to 100. */
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
  sharp.concurrency(Math.min(availableParallelism(), MAX_THREADS));
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
  // One at a time, so that memory never has to hold two large pictures.
  const queue = createFairQueue({
    maxWaiting: MAX_WAITING,
    maxWaitingPerOwner: MAX_WAITING_PER_ARTIST,
  });
  return {
    validate: (path, artistId) => queue.add(artistId, () => validate(path)),
    encode: (path, widths, artistId) => queue.add(artistId, () => encode(path, widths)),
    async encodeAvif(webp, widths) {
      const variants: ImageVariant[] = [];
      // Each variant is a task of its own, so that an upload waits for one at most.
      for (const width of widths)
        variants.push({
          width,
          bytes: await queue.addInBackground(() => encodeAvif(webp, width)),
        });
      return variants;
    },
    encodeSquareJpeg: (webp, size) =>
      sharp(webp).resize(size, size).flatten({ background: '#fff' }).jpeg().toBuffer(),
  };
}

async function validate(path: string): Promise<void> {
  if ((await countPngTexts(path)) > MAX_PNG_TEXTS) throw refuse('too_much_picture_text');
  const header = await readHeader(path);
  if (!header && (await hasPictureSignature(path)))
    throw new DamagedPicture('The picture ends within its header');
  if (!header || !isAllowedFormat(header)) throw refuse('not_a_picture');
  const { width, height, format, isProgressive, depth } = header;
  const pixels = width * height;
  if (pixels > MAX_PIXELS) throw refuse('too_many_pixels');
  // `isProgressive` is also true for interlaced PNGs, and for JPEGs with a scan for each color.
  const isDecodedWhole = format === 'webp' || format === 'heif' || isProgressive;
  if (isDecodedWhole && pixels > MAX_WHOLE_PIXELS) throw refuse('too_many_whole_pixels');
  const isExpensive = format === 'heif' || (isProgressive && depth !== 'uchar');
  if (isExpensive && pixels > MAX_EXPENSIVE_PIXELS) throw refuse('too_many_expensive_pixels');
  if (Math.max(width, height) > MAX_SIDE) throw refuse('picture_too_long');
}

/** Counts the texts of a PNG that may be compressed; 0 for other formats. */
async function countPngTexts(path: string): Promise<number> {
  const signature = await readStart(path, 4);
  if (signature !== '\x89PNG') return 0;
  const bytes = await readFile(path);
  let count = 0;
  for (const type of ['zTXt', 'iTXt'])
    for (let at = bytes.indexOf(type); at >= 0; at = bytes.indexOf(type, at + type.length))
      count += 1;
  return count;
}

/** Whether a file begins like a JPEG, PNG, WebP or AVIF. */
async function hasPictureSignature(path: string): Promise<boolean> {
  return /^(?:\xff\xd8\xff|\x89PNG|RIFF.{4}WEBP|.{4}ftypavi[fs])/s.test(await readStart(path, 12));
}

/** Reads the first bytes of a file, as one character each. */
async function readStart(path: string, byteCount: number): Promise<string> {
  await using file = await openFile(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(byteCount), position: 0 });
  return buffer.toString('latin1', 0, bytesRead);
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
  const variantWidths = [...widths.filter((candidate) => candidate < width), width];
  for (const variantWidth of variantWidths) {
    const resized =
      variantWidth === width ? toSharp(picture) : toSharp(picture).resize(variantWidth);
    variants.push({ width: variantWidth, bytes: await resized.webp(WEBP_OPTIONS).toBuffer() });
  }
  return { width, height, variants, placeholder: await createPlaceholder(picture) };
}

/** Decodes a file once: rotated upright, in sRGB, without metadata, as wide as the widest variant. */
async function decode(path: string, widths: readonly number[]): Promise<Pixels> {
  const { autoOrient, orientation = 1 } = await sharp(path, READ_OPTIONS).metadata();
  const widestForHeight = Math.sqrt((MAX_VARIANT_PIXELS * autoOrient.width) / autoOrient.height);
  const width = Math.min(
    autoOrient.width,
    Math.max(...widths),
    Math.max(Math.floor(widestForHeight), 1),
  );
  const height = Math.round((autoOrient.height * width) / autoOrient.width);
  const size = [width, Math.min(Math.max(height, 1), MAX_HEIGHT)] as const;
  // Orientations from 5 on swap width and height.
  const [decodedWidth, decodedHeight] = orientation < 5 ? size : size.toReversed();
  const picture = await toPixels(
    sharp(path, READ_OPTIONS).resize(decodedWidth, decodedHeight, { fit: 'fill' }),
  );
  // Rotated after the resizing: to rotate a picture, sharp decodes it as a whole.
  return orientation === 1 ? picture : toPixels(rotateUpright(toSharp(picture), orientation));
}

/** @param orientation as in EXIF: 1 to 8 */
function rotateUpright(picture: Sharp, orientation: number): Sharp {
  // sharp mirrors before it rotates.
  const mirrored = [2, 4, 5, 7].includes(orientation) ? picture.flop() : picture;
  if (orientation === 3 || orientation === 4) return mirrored.rotate(180);
  if (orientation === 6 || orientation === 7) return mirrored.rotate(90);
  return orientation === 5 || orientation === 8 ? mirrored.rotate(270) : mirrored;
}

function encodeAvif(webp: Uint8Array, width: number): Promise<Buffer> {
  return sharp(webp)
    .resize(width)
    .avif({ ...AVIF_OPTIONS, effort: AVIF_EFFORT })
    .toBuffer();
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
