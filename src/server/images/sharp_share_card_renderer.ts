import PQueue from 'p-queue';
import type { SatoriNode } from 'satori';
import sharp, { type OverlayOptions } from 'sharp';
import { refuse } from '#domain/refusal.ts';
import { MAX_SHARE_CARD_PICTURES, SHARE_CARD_SIZE } from '#domain/studio/artwork.ts';
import { hasTransparency, type Pixels, toPixels, toSharp } from './pixels.ts';
import type { CardPicture } from './share_card_layout.ts';
import type { ReadPicture, ShareCard, ShareCardRenderer } from './share_card_renderer.ts';

/** The number of cards that may wait; further ones are refused. */
const MAX_WAITING = 50;

/** We try these until the file has at most `MAX_BYTES`, because chat apps ignore larger files. */
const JPEG_QUALITIES = [86, 74, 60, 46];
const MAX_BYTES = 200_000;

/** Renders one card at a time, to limit memory and processor time. */
export function createSharpShareCardRenderer(): ShareCardRenderer {
  const queue = new PQueue({ concurrency: 1 });
  const pendingCards = new Map<string, Promise<Uint8Array>>();
  return {
    async render(key, card) {
      const pending = pendingCards.get(key);
      if (pending) return pending;
      if (queue.size >= MAX_WAITING) throw refuse('busy');
      const jpeg = queue.add(() => renderCard(card)).finally(() => pendingCards.delete(key));
      pendingCards.set(key, jpeg);
      return jpeg;
    },
  };
}

type DecodedPicture = CardPicture & Pixels;

async function renderCard(card: ShareCard): Promise<Uint8Array> {
  const { avatar, pictures } = await readPictures(card);
  // Imported on first use: it takes memory, and many processes render no card.
  const { layOutShareCard } = await import('./share_card_layout.ts');
  const hasAvatar = avatar !== null;
  const { svg, nodes, isPadded } = await layOutShareCard(card, { hasAvatar, pictures });
  const overlays = pictures.map((picture, index) => {
    const fit = isPadded || picture.hasTransparency ? 'contain' : 'cover';
    return placePicture(picture, nodes.get(`picture ${index}`), { fit });
  });
  const avatarNode = nodes.get('avatar');
  if (avatar) overlays.push(placePicture(avatar, avatarNode, { fit: 'cover', isRound: true }));
  const { data, info } = await sharp(Buffer.from(svg))
    .composite((await Promise.all(overlays)).flat())
    .raw()
    .toBuffer({ resolveWithObject: true });
  return encodeJpeg({ data, ...SHARE_CARD_SIZE, channels: info.channels });
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
    const pixels = await toPixels(sharp(await read()));
    return { ...pixels, hasTransparency: await hasTransparency(pixels) };
  } catch {
    return null;
  }
}

/** Scales a picture to the box of the layout. @returns the picture with its position, as sharp composes it */
async function placePicture(
  picture: DecodedPicture,
  box: SatoriNode | undefined,
  { fit, isRound = false }: { fit: 'cover' | 'contain'; isRound?: boolean },
): Promise<OverlayOptions[]> {
  if (!box) return [];
  // As large as the largest avatar, and resized to the box.
  const circle =
    '<svg viewBox="0 0 2 2" width="360" height="360"><circle cx="1" cy="1" r="1"/></svg>';
  const mask = isRound ? await sharp(Buffer.from(circle)).resize(box.width).png().toBuffer() : null;
  const input = await toSharp(picture)
    .ensureAlpha()
    .resize(box.width, box.height, { fit, background: '#0000' })
    .composite(mask ? [{ input: mask, blend: 'dest-in' }] : [])
    .png({ compressionLevel: 0 })
    .toBuffer();
  return [{ input, left: box.left, top: box.top }];
}

async function encodeJpeg(card: Pixels): Promise<Uint8Array> {
  let jpeg = new Uint8Array();
  for (const quality of JPEG_QUALITIES) {
    jpeg = await toSharp(card)
      .jpeg({ quality, progressive: true, chromaSubsampling: '4:4:4' })
      .toBuffer();
    if (jpeg.length <= MAX_BYTES) break;
  }
  return jpeg;
}
