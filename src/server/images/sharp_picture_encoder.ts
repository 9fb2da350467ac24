import { open as openFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { refuse } from '#domain/refusal.ts';
import { createConcurrencyLimiter } from './concurrency_limiter.ts';
import {
  DamagedPicture,
  type EncodedPicture,
  type ImageVariant,
  type PictureEncoder,
} from './picture_encoder.ts';

const MAX_PIXELS = 50_000_000;
/** Taller than this is squeezed: WebP ends at 16,383. */
const MAX_HEIGHT = 8000;
const CONCURRENCY = 2;
const MAX_WAITING = 100;

const PLACEHOLDER_WIDTH = 16;
const PLACEHOLDER_HEIGHTS = { min: 1, max: 24 };

/** By the names that sharp gives them; HEIF is also what telephones keep HEVC in. */
const ALLOWED_FORMATS = new Set(['jpeg', 'png', 'webp']);

/** `sequentialRead` keeps a large picture from being held whole; the limit was judged before. */
const READ_OPTIONS = {
  failOn: 'error',
  sequentialRead: true,
  limitInputPixels: MAX_PIXELS,
} as const;

/** The encoder of a server; others of the same process share its settings, which are sharp's own. */
export function createSharpPictureEncoder(): PictureEncoder {
  sharp.cache(false);
  sharp.concurrency(Math.max(1, Math.floor(availableParallelism() / CONCURRENCY)));
  // Readers of other formats are doors that nobody needs to come through.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpeg',
      'VipsForeignLoadPng',
      'VipsForeignLoadWebp',
      'VipsForeignLoadHeif',
      // What is sent comes as files; only our own drawings come from memory.
      'VipsForeignLoadSvgBuffer',
    ],
  });
  const incoming = createConcurrencyLimiter({ atOnce: CONCURRENCY, waiting: MAX_WAITING });
  const later = createConcurrencyLimiter({ atOnce: 1, waiting: Number.POSITIVE_INFINITY });
  return {
    validate: validate,
    encode: (path, widths) => incoming(() => encode(path, widths)),
    encodeAvif: (webp, widths) => later(() => encodeAvif(webp, widths)),
  };
}

async function validate(path: string): Promise<void> {
  const header = await readHeader(path);
  if (!header && (await hasPictureSignature(path)))
    throw new DamagedPicture('The picture ends within its header');
  if (!header || !isAllowedFormat(header)) throw refuse('not_a_picture');
  if (header.width * header.height > MAX_PIXELS) throw refuse('picture_too_large');
}

/** Whether a file begins with the bytes that a JPEG, PNG, WebP or AVIF begins with. */
async function hasPictureSignature(path: string): Promise<boolean> {
  await using file = await openFile(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
  return /^(?:\xff\xd8\xff|\x89PNG|RIFF.{4}WEBP|.{4}ftypavi[fs])/s.test(
    buffer.toString('latin1', 0, bytesRead),
  );
}

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
  for (const wide of variantWidths(width, widths))
    variants.push(await toVariant(resize(picture, wide).webp(WEBP_OPTIONS), wide));
  return { width, height, variants, placeholder: await createPlaceholder(picture) };
}

/** Pixels in memory, no wider than the widest variant. */
interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
}

/** Reads a file once, upright and in sRGB; whatever is not a pixel stays behind. */
async function decode(path: string, widths: readonly number[]): Promise<Pixels> {
  const { autoOrient } = await sharp(path, READ_OPTIONS).metadata();
  const width = Math.min(autoOrient.width, Math.max(...widths));
  const height = Math.round((autoOrient.height * width) / autoOrient.width);
  const { data, info } = await sharp(path, READ_OPTIONS)
    .autoOrient()
    .resize(width, Math.min(Math.max(height, 1), MAX_HEIGHT), { fit: 'fill' })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

function variantWidths(largest: number, widths: readonly number[]): number[] {
  return [...widths.filter((wide) => wide < largest), largest];
}

function toSharp({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

function resize(picture: Pixels, wide: number): Sharp {
  return wide === picture.width ? toSharp(picture) : toSharp(picture).resize(wide);
}

async function toVariant(sized: Sharp, width: number): Promise<ImageVariant> {
  return { width, bytes: await sized.toBuffer() };
}

/** How the two formats are made; also of the demo artists' drawings. */
export const WEBP_OPTIONS = { quality: 80 } as const;
export const AVIF_OPTIONS = { quality: 55 } as const;
/** More takes seconds a picture, and saves little. */
const AVIF_EFFORT = 2;

async function encodeAvif(webp: Uint8Array, widths: readonly number[]): Promise<ImageVariant[]> {
  const variants: ImageVariant[] = [];
  for (const wide of widths)
    variants.push(
      await toVariant(
        sharp(webp)
          .resize(wide)
          .avif({ ...AVIF_OPTIONS, effort: AVIF_EFFORT }),
        wide,
      ),
    );
  return variants;
}

async function createPlaceholder(picture: Pixels): Promise<string | null> {
  const opaque = picture.channels % 2 === 1 || (await toSharp(picture).stats()).isOpaque;
  return opaque ? encodePlaceholder(toSharp(picture), picture) : null;
}

/** A few pixels of a picture as a data URI of a few hundred bytes. */
export async function encodePlaceholder(
  picture: Sharp,
  { width, height }: { width: number; height: number },
): Promise<string> {
  const { min: least, max: most } = PLACEHOLDER_HEIGHTS;
  const high = Math.round((PLACEHOLDER_WIDTH * height) / width);
  const bytes = await picture
    .resize(PLACEHOLDER_WIDTH, Math.min(Math.max(high, least), most), { fit: 'fill' })
    .webp({ quality: 50, effort: 6, smartSubsample: true })
    .toBuffer();
  return `data:image/webp;base64,${bytes.toString('base64')}`;
}
