import PQueue from 'p-queue';
import sharp, { type OverlayOptions } from 'sharp';
import { MAX_SHARE_CARD_PICTURES, SHARE_CARD_SIZE } from '#domain/artwork.ts';
import { refuse } from '#domain/refusal.ts';
import type { CardFonts } from './card_fonts.ts';
import {
  type Box,
  type CardLayout,
  type CardPicture,
  layOutArtistCard,
  layOutDesignCard,
  type PlacedPicture,
} from './share_card_layout.ts';
import type { ReadPicture, ShareCard, ShareCardRenderer } from './share_card_renderer.ts';

/** The number of cards that may wait; further ones are refused. */
const MAX_WAITING = 50;

/** The light theme of `styles/global.css`. */
const COLORS = {
  paper: '#faf7f1',
  ink: '#171412',
  muted: '#5f574f',
  main: '#f2b705',
  flash: '#f4f1ea',
} as const;

/** The curve of `LogoMark.astro`, whose square is 32 units wide with a corner radius of 7. */
const MARK_CURVE =
  'M11 5.5c0 8-.8 12-2.6 16.4-1 2.5.6 4 2.7 3 2.3-1.1 4.3-6.8 6.9-7.4 2.2-.5 2.4 2.7.6 4.9-1.2 1.5-.5 3 1.5 2.6 1.6-.3 2.9-1.3 4-2.6';

/** We try these until the file has at most `MAX_BYTES`, because chat apps ignore larger files. */
const JPEG_QUALITIES = [86, 74, 60, 46];
const MAX_BYTES = 200_000;

/** Renders one card at a time, to limit memory and processor time. */
export function createSharpShareCardRenderer(): ShareCardRenderer {
  const queue = new PQueue({ concurrency: 1 });
  const pendingCards = new Map<string, Promise<Uint8Array>>();
  let fonts: Promise<CardFonts> | undefined;
  return {
    async render(key, card) {
      const pending = pendingCards.get(key);
      if (pending) return pending;
      if (queue.size >= MAX_WAITING) throw refuse('busy');
      const jpeg = queue
        .add(async () => {
          fonts ??= importCardFonts();
          return renderCard(card, await fonts);
        })
        .finally(() => pendingCards.delete(key));
      pendingCards.set(key, jpeg);
      return jpeg;
    },
  };
}

/** Imported on first use: the font library takes memory, and many processes render no card. */
async function importCardFonts(): Promise<CardFonts> {
  return (await import('./card_fonts.ts')).openCardFonts();
}

interface DecodedPicture extends CardPicture {
  readonly data: Buffer;
  readonly channels: 1 | 2 | 3 | 4;
}

async function renderCard(card: ShareCard, fonts: CardFonts): Promise<Uint8Array> {
  const { avatar, pictures } = await readPictures(card);
  const layout =
    card.kind === 'artist'
      ? layOutArtistCard(card.content, { hasAvatar: avatar !== null, pictures }, fonts)
      : layOutDesignCard(card.content, pictures[0] ?? null, fonts);
  const overlays = await Promise.all(
    layout.pictures.map((placed) => placePicture(placed, pictures)),
  );
  const roundAvatar = layout.avatar && avatar ? [await cropRound(avatar, layout.avatar)] : [];
  const { data, info } = await sharp(Buffer.from(toSvg(layout, fonts)))
    .composite([...overlays.flat(), ...roundAvatar])
    .raw()
    .toBuffer({ resolveWithObject: true });
  return encodeJpeg(data, info.channels);
}

async function readPictures(card: ShareCard) {
  const readers = card.kind === 'artist' ? card.pictures : [card.picture];
  const pictures: DecodedPicture[] = [];
  for (const read of readers.slice(0, MAX_SHARE_CARD_PICTURES)) {
    const picture = await decode(read);
    if (picture) pictures.push(picture);
  }
  const avatar = card.kind === 'artist' && card.avatar ? await decode(card.avatar) : null;
  return { avatar, pictures };
}

/** Null when the file is missing or cannot be decoded. */
async function decode(read: ReadPicture): Promise<DecodedPicture | null> {
  try {
    const { data, info } = await sharp(await read())
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const raw = { width, height, channels };
    const hasAlpha = channels === 2 || channels === 4;
    const hasTransparency = hasAlpha && !(await sharp(data, { raw }).stats()).isOpaque;
    return { data, ...raw, hasTransparency };
  } catch {
    return null;
  }
}

function toSharp({ data, width, height, channels }: DecodedPicture) {
  return sharp(data, { raw: { width, height, channels } });
}

async function placePicture(
  { pictureIndex, box, fit }: PlacedPicture,
  pictures: readonly DecodedPicture[],
): Promise<OverlayOptions[]> {
  const picture = pictures[pictureIndex];
  if (!picture) return [];
  const { left, top, width, height } = box;
  const input = await toSharp(picture)
    .ensureAlpha()
    .resize(width, height, { fit, background: '#0000' })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return [{ input, left, top }];
}

async function cropRound(
  picture: DecodedPicture,
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

function toSvg({ lines, underline, mark, panel, pictures, emblem }: CardLayout, fonts: CardFonts) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SHARE_CARD_SIZE.width}" height="${SHARE_CARD_SIZE.height}">`,
    rectangle({ left: 0, top: 0, ...SHARE_CARD_SIZE }, COLORS.paper),
    rectangle(panel.box, COLORS[panel.background]),
    // Visible behind transparent pictures, and beside pictures that do not fill their box.
    ...pictures.map(({ box }) => rectangle(box, COLORS.flash)),
    rectangle(underline, COLORS.main, underline.height / 2),
    rectangle(mark, COLORS.ink, (mark.width * 7) / 32),
    markCurve(mark, { strokeWidth: 2.6 }),
    emblem ? markCurve(emblem, { strokeWidth: 1.6 }) : '',
    ...lines.map((line) => `<g fill="${COLORS[line.color]}">${fonts.toSvg(line)}</g>`),
    '</svg>',
  ].join('');
}

function rectangle({ left, top, width, height }: Box, fill: string, corner = 0): string {
  return `<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="${corner}" fill="${fill}"/>`;
}

/** @param options `strokeWidth` is in the units of `MARK_CURVE` */
function markCurve({ left, top, width }: Box, options: { strokeWidth: number }): string {
  return `<path transform="translate(${left} ${top}) scale(${width / 32})" d="${MARK_CURVE}" fill="none" stroke="${COLORS.main}" stroke-width="${options.strokeWidth}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

async function encodeJpeg(
  pixels: Buffer,
  channels: DecodedPicture['channels'],
): Promise<Uint8Array> {
  const raw = { ...SHARE_CARD_SIZE, channels };
  let jpeg = new Uint8Array();
  for (const quality of JPEG_QUALITIES) {
    jpeg = await sharp(pixels, { raw })
      .jpeg({ quality, progressive: true, chromaSubsampling: '4:4:4' })
      .toBuffer();
    if (jpeg.length <= MAX_BYTES) break;
  }
  return jpeg;
}
