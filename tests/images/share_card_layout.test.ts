import sharp from 'sharp';
import { expect, test } from 'vitest';
import { SHARE_CARD_SIZE } from '#domain/studio/artwork.ts';
import { type CardPicture, layOutShareCard, toTexts } from '#server/images/share_card_layout.ts';
import type { ReadPicture, ShareCard } from '#server/images/share_card_renderer.ts';

type Layout = Awaited<ReturnType<typeof layOutShareCard>>;

const ANA = {
  productName: 'Linework',
  fullName: 'Ana Reyes',
  username: 'ana',
  studioName: 'Harbour Street Tattoo',
  city: 'New York',
  state: 'NY',
};
const ROSE = { ...ANA, designName: 'Open rose' };
const LONG_NAME = 'Maximiliana Josefina Wilhelmina Teodora Ana Reyes de la Santísima Trinidad';
const PORTRAIT: CardPicture = { width: 1200, height: 1500, hasTransparency: false };
const LANDSCAPE: CardPicture = { width: 1200, height: 500, hasTransparency: false };
const DRAWING: CardPicture = { width: 1000, height: 1000, hasTransparency: true };

function artist(content = ANA): ShareCard {
  return { kind: 'artist', content, avatar: null, pictures: [] };
}

function design(content = ROSE): ShareCard {
  const picture: ReadPicture = () => Promise.reject(new Error('not read by the layout'));
  return { kind: 'design', content, picture };
}

function artistCard(pictures: readonly CardPicture[], hasAvatar = false, content = ANA) {
  return layOutShareCard(artist(content), { hasAvatar, pictures });
}

function designCard(content: typeof ROSE, picture: CardPicture) {
  return layOutShareCard(design(content), { hasAvatar: false, pictures: [picture] });
}

async function textsOf(card: ShareCard) {
  const { eyebrow, heading, details, productName } = await toTexts(card);
  return [eyebrow, heading.text, ...details.map(({ text }) => text), productName?.text];
}

function boxOf({ nodes }: Layout, key: string) {
  const { left = NaN, top = NaN, width = NaN, height = NaN } = nodes.get(key) ?? {};
  return { left, top, width, height };
}

test.each([
  ['artist', artist(), 'Tattoos by|Ana Reyes|Harbour Street Tattoo|New York, NY'],
  ['design', design(), 'Tattoo design|Open rose|By Ana Reyes|Harbour Street Tattoo'],
])('the card of one %s names the artist, the studio and the product', async (_, card, texts) => {
  expect(await textsOf(card)).toEqual([...texts.split('|'), 'Linework']);
});

test('a name that the fonts cannot write is replaced by the username or the name of the artist', async () => {
  const unwritable = { ...ANA, fullName: '葛飾北斎' };
  expect(await textsOf(artist(unwritable))).toContain('ana');
  const texts = await textsOf(design({ ...ROSE, designName: '鷲' }));
  expect(texts.slice(0, 2)).toEqual(['Tattoo design by', 'Ana Reyes']);
});

test('without pictures a card shows a large avatar', async () => {
  expect((await artistCard([])).nodes.has('avatar')).toBe(false);
  const card = await artistCard([], true);
  expect(boxOf(card, 'avatar')).toEqual({ left: 728, top: 135, width: 360, height: 360 });
});

test('a long name replaces the small avatar', async () => {
  const short = await artistCard([PORTRAIT], true);
  expect(boxOf(short, 'avatar')).toEqual({ left: 64, top: 64, width: 112, height: 112 });
  const long = await artistCard([PORTRAIT], true, { ...ANA, fullName: LONG_NAME });
  expect(long.nodes.has('avatar')).toBe(false);
  expect(long.nodes.get('heading')?.props['style']).not.toHaveProperty('lineClamp');
});

test('a drawing, and a picture that would be cropped too much, is shown whole', async () => {
  for (const picture of [DRAWING, LANDSCAPE])
    expect((await designCard(ROSE, picture)).isPadded).toBe(true);
  const portrait = await designCard(ROSE, PORTRAIT);
  expect(portrait.isPadded).toBe(false);
  expect(boxOf(portrait, 'picture 0')).toEqual({ left: 696, top: 0, width: 504, height: 630 });
});

test('up to four pictures fill the panel, with gaps between them', async () => {
  for (const pictures of [
    [PORTRAIT],
    [PORTRAIT, LANDSCAPE],
    [LANDSCAPE, LANDSCAPE],
    [PORTRAIT, PORTRAIT, PORTRAIT],
    [PORTRAIT, PORTRAIT, PORTRAIT, PORTRAIT],
  ]) {
    const layout = await artistCard(pictures);
    const boxes = pictures.map((_, index) => boxOf(layout, `picture ${index}`));
    const area = boxes.reduce((sum, { width, height }) => sum + width * height, 0);
    expect(area / (584 * 630)).toBeGreaterThan(0.95);
    for (const [index, one] of boxes.entries())
      for (const other of boxes.slice(index + 1))
        expect(
          other.left - one.left - one.width === 8 || other.top - one.top - one.height === 8,
        ).toBe(true);
  }
});

test('a heading takes the largest size that fits', async () => {
  const heights = [];
  for (const fullName of ['Ana', 'Maximiliana', 'Maximiliana Josefina', LONG_NAME])
    heights.push(boxOf(await artistCard([], false, { ...ANA, fullName }), 'heading').height);
  // Lines of 1.12 times their size: one of 92, one of 70, two of 70, four of 44.
  expect(heights).toEqual([103, 78, 156, 196]);
});

test('no text overflows its column, and no elements overlap, however long a name is', async () => {
  const names = [
    LONG_NAME.replaceAll(' ', '-').repeat(2),
    'a'.repeat(200),
    'Донаудампфшиффартсэлектрицитетенгауптбетрибсверкбауунтербеамтенгезелльшафт',
    'Nguyễn-Phúc '.repeat(20),
  ];
  for (const fullName of names) {
    await expectNoOverlap(
      await artistCard([PORTRAIT], true, { ...ANA, fullName, studioName: fullName }),
    );
    await expectNoOverlap(
      await designCard({ ...ANA, designName: fullName, studioName: '' }, LANDSCAPE),
    );
  }
});

test('a name with markup is drawn as outlines, and adds no element to the SVG', async () => {
  const markup = '</svg><script>"&amp; <image href="file:///etc/passwd"/>';
  const [plain, marked] = await Promise.all(
    [ANA, { ...ANA, fullName: markup, studioName: markup }].map(async (content) => {
      const { svg } = await artistCard([], false, content);
      expect(svg).not.toMatch(/script|amp;|passwd/);
      return new Set(svg.match(/<[\w!?]+/g));
    }),
  );
  expect(marked).toEqual(plain);
});

async function expectNoOverlap({ svg, nodes }: Layout): Promise<void> {
  const all = [...nodes.values()];
  const panel = all.find(({ props }) => /^panel/.test(String(props?.['className'])));
  const column = all.find(({ props }) => props?.['className'] === 'column');
  if (!panel || !column) throw new Error('The card has no panel or no column');
  expect(panel.left).toBe(column.left + column.width);
  // Letters can stick out of their box, so look at the space between the text and the panel.
  const gap = { left: panel.left - 50, top: 0, width: 50, height: SHARE_CARD_SIZE.height };
  const { channels } = await sharp(await sharp(Buffer.from(svg)).extract(gap).toBuffer()).stats();
  expect(channels.map(({ stdev }) => stdev)).toEqual(channels.map(() => 0));
  const written = all.filter(
    ({ props, key }) =>
      key === 'avatar' || /heading|line|eyebrow|mark/.test(String(props?.['className'])),
  );
  expect(written.length).toBeGreaterThan(2);
  for (const box of written) {
    expect(box.left).toBeGreaterThanOrEqual(64);
    expect(box.left + box.width).toBeLessThanOrEqual(panel.left - 56);
    expect(box.top).toBeGreaterThanOrEqual(64);
    expect(box.top + box.height).toBeLessThanOrEqual(SHARE_CARD_SIZE.height - 64);
  }
  const stacked = written
    .filter(({ left }) => left === 64)
    .sort((one, other) => one.top - other.top);
  for (const [index, one] of stacked.entries())
    expect(one.top + one.height).toBeLessThanOrEqual(
      stacked[index + 1]?.top ?? SHARE_CARD_SIZE.height,
    );
}
