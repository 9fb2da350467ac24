import { type Balanced, fitHeading, fitLine, type Lettering, writable } from './lettering.ts';

// What is where on the picture that stands for an artist or a design where their page is shared.

/** Of the whole card, in pixels: as large as social networks show one (https://ogp.me). */
export const CARD = { width: 1200, height: 630 } as const;

/** As many pictures as an artist's card has room for. */
export const MOST_CARD_PICTURES = 4;

/** In pixels, from the card's upper left corner. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A picture that there is to show. */
export interface CardPicture {
  readonly width: number;
  readonly height: number;
  /** Such a picture is a drawing, of which nothing may be cut off. */
  readonly seeThrough: boolean;
}

/** What an artist's card says. */
export interface ArtistCard {
  readonly productName: string;
  readonly fullName: string;
  /** Written in letters that every font has; it stands for a name that cannot be written. */
  readonly username: string;
  readonly studioName: string;
  readonly city: string;
  readonly state: string;
}

export interface DesignCard extends ArtistCard {
  readonly designName: string;
}

/** One line of text, as it is to be written. */
export interface WrittenLine {
  readonly text: string;
  readonly voice: 'heading' | 'text';
  readonly tone: 'ink' | 'muted';
  /** Of its letters, in pixels. */
  readonly size: number;
  readonly left: number;
  readonly baseline: number;
}

/** Where a picture goes; the rest of its box stays as it is. */
export interface HungPicture {
  /** Which of those that there were. */
  readonly index: number;
  readonly box: Box;
  /** `cover` cuts off what does not fit, `contain` shows all of it. */
  readonly fit: 'cover' | 'contain';
}

export interface CardLayout {
  readonly lines: readonly WrittenLine[];
  /** The short stroke under the heading. */
  readonly stroke: Box;
  /** The product's mark. */
  readonly mark: Box;
  /** Behind the pictures: bare paper for drawings, or ink where there are none. */
  readonly panel: { readonly box: Box; readonly ground: 'paper' | 'flash' | 'ink' };
  readonly pictures: readonly HungPicture[];
  /** The round picture of the artist; null when there is none. */
  readonly avatar: Box | null;
  /** The mark's line, drawn large where there is no picture at all. */
  readonly emblem: Box | null;
}

const MARGIN = 64;
const GUTTER = 56;
const GAP = 8;
const MARK = 40;
const AVATAR = 112;
const LARGE_AVATAR = 360;
const EMBLEM = 420;
const ARTIST_PANEL = 584;
/** A design's picture is between these wide, so that there is room for its name. */
const DESIGN_PANEL = { least: 460, most: 660 };
/** A picture that would lose more than this is rather shown whole. */
const MOST_CUT_OFF = 0.2;
const ROOM_AROUND_DRAWINGS = 40;

/**
 * Lays out an artist's card.
 * @param pictures at most four of them are shown
 */
export function layOutArtistCard(
  card: ArtistCard,
  { hasAvatar, pictures }: { hasAvatar: boolean; pictures: readonly CardPicture[] },
  letters: Lettering,
): CardLayout {
  const panel = panelOf(ARTIST_PANEL);
  const shown = pictures.slice(0, MOST_CARD_PICTURES);
  const bare = shown.length === 0;
  const column = {
    width: panel.left - GUTTER - MARGIN,
    heading: writable(card.fullName, 'heading', letters) ?? card.username,
    below: [card.studioName, placeOf(card)],
    productName: card.productName,
  };
  const beneath = writeColumn({ ...column, top: MARGIN + AVATAR, eyebrow: null }, letters);
  // A long name is worth more than a small picture.
  const smallAvatar = hasAvatar && !bare && beneath.isWhole;
  const text = smallAvatar
    ? beneath
    : writeColumn({ ...column, top: MARGIN, eyebrow: 'Tattoos by' }, letters);
  const { lines, stroke, mark } = text;
  return {
    lines,
    stroke,
    mark,
    panel: { box: panel, ground: bare ? 'ink' : 'paper' },
    pictures: tiles(panel, shown).map((box, index) => ({
      index,
      box,
      fit: shown[index]?.seeThrough ? 'contain' : 'cover',
    })),
    avatar: avatarOf({ small: smallAvatar, large: hasAvatar && bare }, panel),
    emblem: bare && !hasAvatar ? centred(panel, EMBLEM, EMBLEM) : null,
  };
}

/** Lays out a design's card; without its picture it is the artist's, with the design's name. */
export function layOutDesignCard(
  card: DesignCard,
  picture: CardPicture | null,
  letters: Lettering,
): CardLayout {
  const panel = panelOf(designPanelWidth(picture));
  const artist = writable(card.fullName, 'text', letters) ?? card.username;
  const design = writable(card.designName, 'heading', letters);
  const { lines, stroke, mark } = writeColumn(
    {
      top: MARGIN,
      width: panel.left - GUTTER - MARGIN,
      eyebrow: design === null ? 'Tattoo design by' : 'Tattoo design',
      heading: design ?? writable(card.fullName, 'heading', letters) ?? card.username,
      below: [design === null ? '' : `By ${artist}`, card.studioName],
      productName: card.productName,
    },
    letters,
  );
  return {
    lines,
    stroke,
    mark,
    panel: { box: panel, ground: picture ? 'flash' : 'ink' },
    pictures: picture ? [hang(picture, panel)] : [],
    avatar: null,
    emblem: picture ? null : centred(panel, EMBLEM, EMBLEM),
  };
}

function placeOf({ city, state }: ArtistCard): string {
  return [city, state].filter(Boolean).join(', ');
}

function panelOf(width: number): Box {
  return { left: CARD.width - width, top: 0, width, height: CARD.height };
}

function centred({ left, top, width, height }: Box, wide: number, high: number): Box {
  return {
    left: left + Math.round((width - wide) / 2),
    top: top + Math.round((height - high) / 2),
    width: wide,
    height: high,
  };
}

function avatarOf({ small, large }: { small: boolean; large: boolean }, panel: Box): Box | null {
  if (large) return centred(panel, LARGE_AVATAR, LARGE_AVATAR);
  return small ? { left: MARGIN, top: MARGIN, width: AVATAR, height: AVATAR } : null;
}

function designPanelWidth(picture: CardPicture | null): number {
  if (!picture) return ARTIST_PANEL;
  const { least, most } = DESIGN_PANEL;
  const whole = Math.round((CARD.height * picture.width) / picture.height);
  return Math.min(Math.max(whole, least), most);
}

/** The picture of a design, filling its panel unless that would cut too much of it off. */
function hang(picture: CardPicture, panel: Box): HungPicture {
  const aspects = [picture.width / picture.height, panel.width / panel.height];
  const cutOff = 1 - Math.min(...aspects) / Math.max(...aspects);
  if (!picture.seeThrough && cutOff <= MOST_CUT_OFF) return { index: 0, box: panel, fit: 'cover' };
  const room = 2 * ROOM_AROUND_DRAWINGS;
  return {
    index: 0,
    box: centred(panel, panel.width - room, panel.height - room),
    fit: 'contain',
  };
}

/** One box for each picture, which together fill the panel but for the gaps between them. */
function tiles(panel: Box, pictures: readonly CardPicture[]): Box[] {
  const { left, top, width, height } = panel;
  const [wide, high] = [(width - GAP) / 2, (height - GAP) / 2];
  const [right, low] = [left + wide + GAP, top + high + GAP];
  const tile = { left, top, width: wide, height: high };
  const column = { ...tile, height };
  switch (pictures.length) {
    case 0:
      return [];
    case 1:
      return [panel];
    case 2:
      return pictures.every((picture) => picture.width > picture.height)
        ? [
            { ...tile, width },
            { ...tile, top: low, width },
          ]
        : [column, { ...column, left: right }];
    case 3:
      return [column, { ...tile, left: right }, { ...tile, left: right, top: low }];
    default:
      return [
        tile,
        { ...tile, left: right },
        { ...tile, top: low },
        { ...tile, left: right, top: low },
      ];
  }
}

const EYEBROW = { size: 30, height: 46 };
const HEADING_SIZES = [92, 80, 70, 60, 52, 44, 38];
const STROKE = { above: 30, width: 72, height: 8 };
const BELOW = { above: 30, size: 30, height: 44 };
const PRODUCT_SIZE = 26;
const BLANK = 28;

interface Column {
  /** Where the room for the text begins; the mark ends it. */
  readonly top: number;
  readonly width: number;
  readonly eyebrow: string | null;
  readonly heading: string;
  /** What cannot be written is left out. */
  readonly below: readonly string[];
  readonly productName: string;
}

interface WrittenColumn extends Pick<CardLayout, 'lines' | 'stroke' | 'mark'> {
  /** Whether the heading is all there. */
  readonly isWhole: boolean;
}

/** The text beside the pictures, in the middle of its room, and the product's mark at the foot. */
function writeColumn(
  { top, width, eyebrow, heading, below, productName }: Column,
  letters: Lettering,
): WrittenColumn {
  const mark = { left: MARGIN, top: CARD.height - MARGIN - MARK, width: MARK, height: MARK };
  const facts = below.flatMap((text) => writable(text, 'text', letters) ?? []);
  const room = mark.top - top - 2 * BLANK;
  const around =
    (eyebrow === null ? 0 : EYEBROW.height) +
    (STROKE.above + STROKE.height) +
    (facts.length > 0 ? BELOW.above + facts.length * BELOW.height : 0);
  const title = fitHeading(
    heading,
    { width, height: room - around, sizes: HEADING_SIZES },
    letters,
  );

  const lines: WrittenLine[] = [];
  const height = around + heightOf(title);
  let y = top + BLANK + Math.max(0, Math.round((room - height) / 2));
  if (eyebrow !== null) {
    const baseline = y + EYEBROW.size;
    const { size } = EYEBROW;
    lines.push({ text: eyebrow, voice: 'text', tone: 'muted', size, left: MARGIN, baseline });
    y += EYEBROW.height;
  }
  for (const text of title.lines) {
    const baseline = Math.round(y + title.size * 0.86);
    const { size } = title;
    lines.push({ text, voice: 'heading', tone: 'ink', size, left: MARGIN, baseline });
    y += title.lineHeight;
  }
  const stroke = {
    left: MARGIN,
    top: Math.round(y) + STROKE.above,
    width: STROKE.width,
    height: STROKE.height,
  };
  y = stroke.top + stroke.height + BELOW.above;
  for (const [index, fact] of facts.entries()) {
    const line = fitLine(fact, { width, size: BELOW.size }, letters);
    const tone = index === 0 ? 'ink' : 'muted';
    lines.push({ ...line, voice: 'text', tone, left: MARGIN, baseline: y + BELOW.size });
    y += BELOW.height;
  }
  const product = writable(productName, 'text', letters);
  if (product !== null) {
    const beside = mark.left + MARK + 14;
    const line = fitLine(product, { width: MARGIN + width - beside, size: PRODUCT_SIZE }, letters);
    const baseline = mark.top + 29;
    lines.push({ ...line, voice: 'text', tone: 'ink', left: beside, baseline });
  }
  return { lines, stroke, mark, isWhole: title.isWhole };
}

function heightOf({ lines, lineHeight }: Balanced): number {
  return lines.length * lineHeight;
}
