import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SHARE_CARD_SIZE } from '#domain/artwork.ts';
import {
  type Box,
  type CardLayout,
  type CardPicture,
  layOutArtistCard,
  layOutDesignCard,
} from '#server/images/share_card_layout.ts';
import type { FontMetrics } from '#server/images/text_layout.ts';

const fonts: FontMetrics = {
  hasGlyphs: (text) => !/\p{Script=Han}/u.test(text),
  measureWidth: (text, _voice, size) => (text.length * size) / 2,
};
const ANA = {
  productName: 'Linework',
  fullName: 'Ana Reyes',
  username: 'ana',
  studioName: 'Harbour Street Tattoo',
  city: 'New York',
  state: 'NY',
};
const ROSE = { ...ANA, designName: 'Open rose' };
const PORTRAIT: CardPicture = { width: 1200, height: 1500, hasTransparency: false };
const LANDSCAPE: CardPicture = { width: 1200, height: 500, hasTransparency: false };
const DRAWING: CardPicture = { width: 1000, height: 1000, hasTransparency: true };

function textsOf({ lines }: CardLayout): string[] {
  return lines.map(({ text }) => text);
}

function artistCard(
  pictures: readonly CardPicture[],
  hasAvatar = false,
  content = ANA,
): CardLayout {
  return layOutArtistCard(content, { hasAvatar, pictures }, fonts);
}

test("an artist's card names the artist, the studio, the city and the product", () => {
  expect(textsOf(artistCard([PORTRAIT]))).toEqual([
    'Tattoos by',
    'Ana Reyes',
    'Harbour Street Tattoo',
    'New York, NY',
    'Linework',
  ]);
});

test("a design's card names the design and its artist", () => {
  expect(textsOf(layOutDesignCard(ROSE, PORTRAIT, fonts))).toEqual([
    'Tattoo design',
    'Open rose',
    'By Ana Reyes',
    'Harbour Street Tattoo',
    'Linework',
  ]);
});

test('a name that the fonts cannot write is replaced by the username or the name of the artist', () => {
  expect(textsOf(artistCard([], false, { ...ANA, fullName: '葛飾北斎' }))).toContain('ana');
  const design = layOutDesignCard({ ...ROSE, designName: '鷲' }, PORTRAIT, fonts);
  expect(textsOf(design).slice(0, 2)).toEqual(['Tattoo design by', 'Ana Reyes']);
});

test('without pictures a card shows a large avatar, or else the emblem', () => {
  const card = artistCard([]);
  expect(card).toMatchObject({ pictures: [], avatar: null, panel: { background: 'ink' } });
  expect(card.emblem).not.toBeNull();
  const withAvatar = artistCard([], true);
  expect(withAvatar.emblem).toBeNull();
  expect(withAvatar.avatar?.width).toBeGreaterThan(300);
});

test('a long name replaces the small avatar', () => {
  expect(artistCard([PORTRAIT], true).avatar).not.toBeNull();
  const long = {
    ...ANA,
    fullName: 'Maximiliana Josefina Wilhelmina Teodora Ana Reyes de la Santísima Trinidad',
  };
  const card = artistCard([PORTRAIT], true, long);
  expect(card.avatar).toBeNull();
  expect(textsOf(card).slice(1, -3).join(' ')).toBe(long.fullName);
});

test('a drawing, and a picture that would be cropped too much, is shown whole', () => {
  for (const picture of [DRAWING, LANDSCAPE])
    expect(layOutDesignCard(ROSE, picture, fonts).pictures).toMatchObject([{ fit: 'contain' }]);
  const [portrait] = layOutDesignCard(ROSE, PORTRAIT, fonts).pictures;
  expect(portrait).toMatchObject({ fit: 'cover', box: { width: 504, height: 630 } });
  expect(artistCard([DRAWING, PORTRAIT]).pictures.map(({ fit }) => fit)).toEqual([
    'contain',
    'cover',
  ]);
});

test('nothing overflows the card, and no pictures or lines overlap', () => {
  const picture = fc.record({
    width: fc.integer({ min: 1, max: 1200 }),
    height: fc.integer({ min: 1, max: 8000 }),
    hasTransparency: fc.boolean(),
  });
  const name = fc.stringMatching(/^[A-Za-z]{1,40}( [A-Za-z]{1,40}){0,4}$/);
  fc.assert(
    fc.property(
      fc.array(picture, { maxLength: 6 }),
      name,
      name,
      fc.boolean(),
      (pictures, fullName, studioName, hasAvatar) => {
        const content = { ...ANA, fullName, studioName };
        expectNoOverlap(artistCard(pictures, hasAvatar, content));
        expectNoOverlap(
          layOutDesignCard({ ...content, designName: studioName }, pictures[0] ?? null, fonts),
        );
      },
    ),
  );
});

function expectNoOverlap({
  lines,
  underline,
  mark,
  pictures,
  avatar,
  emblem,
  panel,
}: CardLayout): void {
  const texts = lines.map(
    (line): Box => ({
      left: line.left,
      top: line.baseline - line.size * 0.8,
      width: fonts.measureWidth(line.text, line.font, line.size),
      height: line.size * 0.8,
    }),
  );
  const small = avatar && avatar.left < panel.box.left ? [avatar] : [];
  const written = [...texts, underline, mark, ...small];
  const pictureBoxes = pictures.map(({ box }) => box);
  const inPanel = [
    ...pictureBoxes,
    ...(avatar && !small.length ? [avatar] : []),
    ...(emblem ? [emblem] : []),
  ];
  for (const box of [...written, ...inPanel]) {
    expect(box.left).toBeGreaterThanOrEqual(0);
    expect(box.top).toBeGreaterThanOrEqual(0);
    expect(box.left + box.width).toBeLessThanOrEqual(SHARE_CARD_SIZE.width);
    expect(box.top + box.height).toBeLessThanOrEqual(SHARE_CARD_SIZE.height);
    expect([box.width, box.height].every(Number.isInteger) || texts.includes(box)).toBe(true);
  }
  for (const box of written) expect(box.left + box.width).toBeLessThanOrEqual(panel.box.left);
  for (const box of inPanel) expect(box.left).toBeGreaterThanOrEqual(panel.box.left);
  for (const boxes of [written, pictureBoxes])
    for (const [index, one] of boxes.entries())
      for (const other of boxes.slice(index + 1))
        expect([one, other, overlaps(one, other)]).toEqual([one, other, false]);
}

function overlaps(one: Box, other: Box): boolean {
  return (
    one.left < other.left + other.width &&
    other.left < one.left + one.width &&
    one.top < other.top + other.height &&
    other.top < one.top + one.height
  );
}
