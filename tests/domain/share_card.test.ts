import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Box,
  CARD_SIZE,
  type CardLayout,
  type CardPicture,
  layOutArtistCard,
  layOutDesignCard,
} from '#domain/share_card.ts';
import type { FontMetrics } from '#domain/text_layout.ts';

const letters: FontMetrics = {
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

function artistCard(pictures: readonly CardPicture[], hasAvatar = false, says = ANA): CardLayout {
  return layOutArtistCard(says, { hasAvatar, pictures }, letters);
}

test("an artist's card says who, where and by what", () => {
  expect(textsOf(artistCard([PORTRAIT]))).toEqual([
    'Tattoos by',
    'Ana Reyes',
    'Harbour Street Tattoo',
    'New York, NY',
    'Linework',
  ]);
});

test("a design's card says what it is, and of whom", () => {
  expect(textsOf(layOutDesignCard(ROSE, PORTRAIT, letters))).toEqual([
    'Tattoo design',
    'Open rose',
    'By Ana Reyes',
    'Harbour Street Tattoo',
    'Linework',
  ]);
});

test('a name that cannot be written gives way to one that can', () => {
  expect(textsOf(artistCard([], false, { ...ANA, fullName: '葛飾北斎' }))).toContain('ana');
  const design = layOutDesignCard({ ...ROSE, designName: '鷲' }, PORTRAIT, letters);
  expect(textsOf(design).slice(0, 2)).toEqual(['Tattoo design by', 'Ana Reyes']);
});

test('an artist without pictures has their avatar or else the mark, large', () => {
  const bare = artistCard([]);
  expect(bare).toMatchObject({ pictures: [], avatar: null, panel: { ground: 'ink' } });
  expect(bare.emblem).not.toBeNull();
  const faced = artistCard([], true);
  expect(faced.emblem).toBeNull();
  expect(faced.avatar?.width).toBeGreaterThan(300);
});

test('a long name takes the place of the small avatar', () => {
  expect(artistCard([PORTRAIT], true).avatar).not.toBeNull();
  const long = {
    ...ANA,
    fullName: 'Maximiliana Josefina Wilhelmina Teodora Ana Reyes de la Santísima Trinidad',
  };
  const card = artistCard([PORTRAIT], true, long);
  expect(card.avatar).toBeNull();
  expect(textsOf(card).slice(1, -3).join(' ')).toBe(long.fullName);
});

test('a drawing is shown whole, and so is a picture that would lose too much', () => {
  for (const picture of [DRAWING, LANDSCAPE])
    expect(layOutDesignCard(ROSE, picture, letters).pictures).toMatchObject([{ fit: 'contain' }]);
  const [portrait] = layOutDesignCard(ROSE, PORTRAIT, letters).pictures;
  expect(portrait).toMatchObject({ fit: 'cover', box: { width: 504, height: 630 } });
  expect(artistCard([DRAWING, PORTRAIT]).pictures.map(({ fit }) => fit)).toEqual([
    'contain',
    'cover',
  ]);
});

test('nothing leaves the card, and no two pictures or lines touch', () => {
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
        const says = { ...ANA, fullName, studioName };
        expectTidy(artistCard(pictures, hasAvatar, says));
        expectTidy(
          layOutDesignCard({ ...says, designName: studioName }, pictures[0] ?? null, letters),
        );
      },
    ),
  );
});

function expectTidy({ lines, stroke, mark, pictures, avatar, emblem, panel }: CardLayout): void {
  const texts = lines.map(
    (line): Box => ({
      left: line.left,
      top: line.baseline - line.size * 0.8,
      width: letters.measureWidth(line.text, line.font, line.size),
      height: line.size * 0.8,
    }),
  );
  const small = avatar && avatar.left < panel.box.left ? [avatar] : [];
  const written = [...texts, stroke, mark, ...small];
  const hung = pictures.map(({ box }) => box);
  const inPanel = [
    ...hung,
    ...(avatar && !small.length ? [avatar] : []),
    ...(emblem ? [emblem] : []),
  ];
  for (const box of [...written, ...inPanel]) {
    expect(box.left).toBeGreaterThanOrEqual(0);
    expect(box.top).toBeGreaterThanOrEqual(0);
    expect(box.left + box.width).toBeLessThanOrEqual(CARD_SIZE.width);
    expect(box.top + box.height).toBeLessThanOrEqual(CARD_SIZE.height);
    expect([box.width, box.height].every(Number.isInteger) || texts.includes(box)).toBe(true);
  }
  for (const box of written) expect(box.left + box.width).toBeLessThanOrEqual(panel.box.left);
  for (const box of inPanel) expect(box.left).toBeGreaterThanOrEqual(panel.box.left);
  for (const boxes of [written, hung])
    for (const [index, one] of boxes.entries())
      for (const other of boxes.slice(index + 1))
        expect([one, other, touch(one, other)]).toEqual([one, other, false]);
}

function touch(one: Box, other: Box): boolean {
  return (
    one.left < other.left + other.width &&
    other.left < one.left + one.width &&
    one.top < other.top + other.height &&
    other.top < one.top + one.height
  );
}
