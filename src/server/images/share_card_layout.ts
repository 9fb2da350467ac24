/** Lays out and draws a share card, in the largest size of the heading that fits. */
import { SHARE_CARD_SIZE } from '#domain/studio/artwork.ts';
import { type Drawing, draw, toCardText } from './card_text.ts';
import type { ShareCard } from './share_card_renderer.ts';
import {
  type CardContents,
  type CardPanel,
  MARGIN,
  shareCard,
  textWidth,
} from './share_card_template.ts';

/** The facts about a picture that decide how the card shows it. */
export interface CardPicture {
  readonly width: number;
  readonly height: number;
  /** A picture with transparent pixels counts as a drawing, which is never cropped. */
  readonly hasTransparency: boolean;
}

/** The width of the panel; that of a design follows the picture's shape, within bounds. */
const PANEL_WIDTH = { usual: 584, min: 460, max: 660 };
/** A design's picture is shown whole if cropping would remove more than this fraction of it. */
const MAX_CROPPED_FRACTION = 0.2;

/** The sizes to try for a heading, the largest first. */
const HEADING_SIZES = [92, 80, 70, 60, 52, 44, 38].map((fontSize) => ({
  fontSize,
  minWidth: 'min-content',
}));
/** The other texts leave less height than this to the heading. */
const MAX_HEADING_HEIGHT = 368;
/** For a heading that fits in no size: words are broken, and further lines are cut. */
const TRUNCATED_HEADINGS = [7, 6, 5, 4, 3, 2, 1].map((lineClamp) => ({
  fontSize: 38,
  lineClamp,
  overflowWrap: 'anywhere',
  textWrap: 'wrap',
}));

/**
 * Draws a card without its pictures. They belong into the boxes of the nodes `picture 0`, `picture 1` and so
 * on, and `avatar`. `isPadded` means that the picture of a design is shown whole.
 */
export async function layOutShareCard(
  card: ShareCard,
  { hasAvatar, pictures }: { hasAvatar: boolean; pictures: readonly CardPicture[] },
): Promise<Drawing & { readonly isPadded: boolean }> {
  const panel = choosePanel(card, pictures);
  const contents = { ...(await toTexts(card)), panel };
  const avatar: CardContents['avatar'] = hasAvatar && pictures.length === 0 ? 'large' : null;
  // An attempt takes milliseconds, so sizes that are far too large are left out.
  const linesOf = (fontSize: number) => (contents.heading.width * fontSize) / textWidth(panel);
  const sizes = HEADING_SIZES.filter(
    ({ fontSize }) => linesOf(fontSize) * fontSize <= MAX_HEADING_HEIGHT,
  );
  const attempts: Pick<CardContents, 'headingStyle' | 'avatar'>[] = [
    ...sizes,
    ...TRUNCATED_HEADINGS,
  ].map((headingStyle) => ({ headingStyle, avatar }));
  // Beside pictures, the avatar is left out if the whole name would not fit below it.
  if (hasAvatar && !avatar)
    attempts.unshift(...sizes.map((headingStyle) => ({ headingStyle, avatar: 'small' as const })));
  const isPadded = panel.className === 'padded';
  for (const attempt of attempts) {
    const drawing = await draw(shareCard({ ...contents, ...attempt }), SHARE_CARD_SIZE);
    if (fits(drawing, panel)) return { ...drawing, isPadded };
  }
  throw new Error('A heading of one line does not fit');
}

function fits({ nodes }: Drawing, panel: CardPanel): boolean {
  const bottom = nodes.get('product');
  const heading = nodes.get('heading');
  if (!bottom || !heading || heading.width > textWidth(panel)) return false;
  return bottom.top + bottom.height <= SHARE_CARD_SIZE.height - MARGIN;
}

/** The texts of a card; a name that the fonts cannot write is replaced by the next one. */
export async function toTexts({ kind, content }: ShareCard) {
  const { fullName, username, studioName } = content;
  const designName = kind === 'design' ? await toCardText(content.designName, 'heading') : null;
  const place = [content.city, content.state].filter(Boolean).join(', ');
  const artistName = (await toCardText(fullName, 'text'))?.text ?? username;
  const artist = designName ? `By ${artistName}` : '';
  const details = await Promise.all(
    [artist, studioName, kind === 'artist' ? place : ''].map((text) => toCardText(text, 'text')),
  );
  // Without a design's name as heading, the artist's name is the heading.
  const eyebrowOfDesign = designName ? 'Tattoo design' : 'Tattoo design by';
  const heading =
    designName ??
    (await toCardText(fullName, 'heading')) ??
    (await toCardText(username, 'heading'));
  if (!heading) throw new Error(`The fonts cannot write the username ${username}`);
  return {
    eyebrow: kind === 'design' ? eyebrowOfDesign : 'Tattoos by',
    heading,
    details: details.filter((detail) => detail !== null),
    productName: await toCardText(content.productName, 'text'),
  };
}

function choosePanel({ kind }: ShareCard, pictures: readonly CardPicture[]): CardPanel {
  const [picture] = pictures;
  if (kind === 'design' && picture) {
    const uncropped = Math.round((SHARE_CARD_SIZE.height * picture.width) / picture.height);
    const width = Math.min(Math.max(uncropped, PANEL_WIDTH.min), PANEL_WIDTH.max);
    const aspectRatios = [picture.width / picture.height, width / SHARE_CARD_SIZE.height];
    const croppedFraction = 1 - Math.min(...aspectRatios) / Math.max(...aspectRatios);
    const isWhole = picture.hasTransparency || croppedFraction > MAX_CROPPED_FRACTION;
    return { width, pictures: 1, className: isWhole ? 'padded' : '' };
  }
  const areAllWide = pictures.every(({ width, height }) => width > height);
  const className = pictures.length === 2 && areAllWide ? 'stacked' : '';
  return { width: PANEL_WIDTH.usual, pictures: pictures.length, className };
}
