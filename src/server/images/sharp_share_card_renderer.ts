import sharp, { type OverlayOptions } from 'sharp';
import {
  type Box,
  CARD_SIZE,
  type CardLayout,
  type CardPicture,
  layOutArtistCard,
  layOutDesignCard,
  MAX_CARD_PICTURES,
  type PlacedPicture,
} from '#domain/share_card.ts';
import type { FontMetrics } from '#domain/text_layout.ts';
import type { CardFonts } from './card_fonts.ts';
import { createConcurrencyLimiter } from './concurrency_limiter.ts';
import type { ReadPicture, ShareCard, ShareCardRenderer } from './share_card_renderer.ts';

const MAX_WAITING = 50;

/** As `styles/global.css` has them, in daylight. */
const COLORS = {
  paper: '#faf7f1',
  ink: '#171412',
  muted: '#5f574f',
  main: '#f2b705',
  flash: '#f4f1ea',
} as const;

/** The mark's line on a square of 32, as in `components/LogoMark.astro`. */
const MARK_LINE =
  'M11 5.5c0 8-.8 12-2.6 16.4-1 2.5.6 4 2.7 3 2.3-1.1 4.3-6.8 6.9-7.4 2.2-.5 2.4 2.7.6 4.9-1.2 1.5-.5 3 1.5 2.6 1.6-.3 2.9-1.3 4-2.6';

/** The first that makes a card light enough for a chat is taken, and else the last. */
const JPEG_QUALITIES = [86, 74, 60, 46];
const MAX_BYTES = 200_000;

/** The drawer of a server; it draws one card after the other, and names no card twice at once. */
export function createSharpShareCardRenderer(): ShareCardRenderer {
  const inTurn = createConcurrencyLimiter({ atOnce: 1, waiting: MAX_WAITING });
  const underWay = new Map<string, Promise<Uint8Array>>();
  let letters: Promise<CardFonts> | undefined;
  return {
    render(name, card) {
      const begun = underWay.get(name);
      if (begun) return begun;
      const drawn = inTurn(async () => {
        letters ??= importCardFonts();
        return renderCard(card, await letters);
      }).finally(() => underWay.delete(name));
      underWay.set(name, drawn);
      return drawn;
    },
  };
}

/** With its library, which only drawing needs. */
async function importCardFonts(): Promise<CardFonts> {
  return (await import('./card_fonts.ts')).openCardFonts();
}

/** A picture that was read, as pixels. */
interface Pixels extends CardPicture {
  readonly data: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

async function renderCard(card: ShareCard, letters: CardFonts): Promise<Uint8Array> {
  const art = await readPictures(card);
  const layout = layOutCard(card, art, letters);
  const hung = await Promise.all(layout.pictures.map((one) => placePicture(one, art.pictures)));
  const avatar = layout.avatar && art.avatar ? [await cropRound(art.avatar, layout.avatar)] : [];
  const { data, info } = await sharp(Buffer.from(toSvg(layout, letters)))
    .composite([...hung.flat(), ...avatar])
    .raw()
    .toBuffer({ resolveWithObject: true });
  return encodeJpeg(data, info.channels);
}

interface CardPixels {
  readonly avatar: Pixels | null;
  readonly pictures: readonly Pixels[];
}

async function readPictures(card: ShareCard): Promise<CardPixels> {
  const wanted = card.kind === 'artist' ? card.pictures : [card.picture];
  const pictures: Pixels[] = [];
  for (const read of wanted.slice(0, MAX_CARD_PICTURES)) {
    const pixels = await decode(read);
    if (pixels) pictures.push(pixels);
  }
  const avatar = card.kind === 'artist' && card.avatar ? await decode(card.avatar) : null;
  return { avatar, pictures };
}

/** Null when the file is gone, or is not to be read. */
async function decode(read: ReadPicture): Promise<Pixels | null> {
  try {
    const { data, info } = await sharp(await read())
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const raw = { width, height, channels };
    const seeThrough = channels % 2 === 0 && !(await sharp(data, { raw }).stats()).isOpaque;
    return { data, width, height, channels, hasTransparency: seeThrough };
  } catch {
    return null;
  }
}

function layOutCard(
  card: ShareCard,
  { avatar, pictures }: CardPixels,
  letters: FontMetrics,
): CardLayout {
  return card.kind === 'artist'
    ? layOutArtistCard(card.content, { hasAvatar: avatar !== null, pictures }, letters)
    : layOutDesignCard(card.content, pictures[0] ?? null, letters);
}

function toSharp({ data, width, height, channels }: Pixels) {
  return sharp(data, { raw: { width, height, channels } });
}

async function placePicture(
  { pictureIndex: index, box, fit }: PlacedPicture,
  pictures: readonly Pixels[],
): Promise<OverlayOptions[]> {
  const picture = pictures[index];
  if (!picture) return [];
  const { left, top, width, height } = box;
  const input = await toSharp(picture)
    .ensureAlpha()
    .resize(width, height, { fit, background: '#0000' })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return [{ input, left, top }];
}

/** A picture, cut round. */
async function cropRound(
  picture: Pixels,
  { left, top, width, height }: Box,
): Promise<OverlayOptions> {
  const radius = width / 2;
  const circle = `<svg width="${width}" height="${height}"><circle cx="${radius}" cy="${radius}" r="${radius}"/></svg>`;
  const input = await toSharp(picture)
    .ensureAlpha()
    .resize(width, height, { fit: 'cover' })
    .composite([{ input: Buffer.from(circle), blend: 'dest-in' }])
    .png({ compressionLevel: 0 })
    .toBuffer();
  return { input, left, top };
}

function toSvg({ lines, stroke, mark, panel, pictures, emblem }: CardLayout, letters: CardFonts) {
  const grounds = pictures.map(({ box }) => rectangle(box, COLORS.flash));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_SIZE.width}" height="${CARD_SIZE.height}">`,
    rectangle({ left: 0, top: 0, ...CARD_SIZE }, COLORS.paper),
    rectangle(panel.box, COLORS[panel.ground]),
    ...grounds,
    rectangle(stroke, COLORS.main, stroke.height / 2),
    rectangle(mark, COLORS.ink, (mark.width * 7) / 32),
    markLine(mark, 2.6),
    emblem ? markLine(emblem, 1.6) : '',
    ...lines.map((line) => `<g fill="${COLORS[line.color]}">${letters.toSvg(line)}</g>`),
    '</svg>',
  ].join('');
}

function rectangle({ left, top, width, height }: Box, fill: string, corner = 0): string {
  return `<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="${corner}" fill="${fill}"/>`;
}

function markLine({ left, top, width }: Box, strokeWidth: number): string {
  return `<path transform="translate(${left} ${top}) scale(${width / 32})" d="${MARK_LINE}" fill="none" stroke="${COLORS.main}" stroke-width="${strokeWidth}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

async function encodeJpeg(pixels: Buffer, channels: Pixels['channels']): Promise<Uint8Array> {
  const raw = { ...CARD_SIZE, channels };
  let jpeg = new Uint8Array();
  for (const quality of JPEG_QUALITIES) {
    jpeg = await sharp(pixels, { raw })
      .jpeg({ quality, progressive: true, chromaSubsampling: '4:4:4' })
      .toBuffer();
    if (jpeg.length <= MAX_BYTES) break;
  }
  return jpeg;
}
