import {
  type FontMetrics,
  fitHeading,
  fitLine,
  type TextBlock,
  toRenderableText,
} from './text_layout.ts';

// What is where on the picture that stands for an artist or a design where their page is shared.

/** Of the whole card, in pixels: as large as social networks show one (https://ogp.me). */
export const CARD_SIZE = { width: 1200, height: 630 } as const;

/** As many pictures as an artist's card has room for. */
export const MAX_CARD_PICTURES = 4;

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
  readonly hasTransparency: boolean;
}

/** What an artist's card says. */
export interface ArtistCardContent {
  readonly productName: string;
  readonly fullName: string;
  /** Written in letters that every font has; it stands for a name that cannot be written. */
  readonly username: string;
  readonly studioName: string;
  readonly city: string;
  readonly state: string;
}

export interface DesignCardContent extends ArtistCardContent {
  readonly designName: string;
}

/** One line of text, as it is to be written. */
export interface TextLine {
  readonly text: string;
  readonly font: 'heading' | 'text';
  readonly color: 'ink' | 'muted';
  /** Of its letters, in pixels. */
  readonly size: number;
  readonly left: number;
  readonly baseline: number;
}

/** Where a picture goes; the rest of its box stays as it is. */
export interface PlacedPicture {
  /** Which of those that there were. */
  readonly pictureIndex: number;
  readonly box: Box;
  /** `cover` cuts off what does not fit, `contain` shows all of it. */
  readonly fit: 'cover' | 'contain';
}

export interface CardLayout {
  readonly lines: readonly TextLine[];
  /** The short stroke under the heading. */
  readonly stroke: Box;
  /** The product's mark. */
  readonly mark: Box;
  /** Behind the pictures: bare paper for drawings, or ink where there are none. */
  readonly panel: { readonly box: Box; readonly ground: 'paper' | 'flash' | 'ink' };
  readonly pictures: readonly PlacedPicture[];
  /** The round picture of the artist; null when there is none. */
  readonly avatar: Box | null;
  /** The mark's line, drawn large where there is no picture at all. */
  readonly emblem: Box | null;
}

const MARGIN = 64;
const GUTTER = 56;
const GAP = 8;
const MARK_SIZE = 40;
const AVATAR_SIZE = 112;
const LARGE_AVATAR_SIZE = 360;
const EMBLEM_SIZE = 420;
const ARTIST_PANEL_WIDTH = 584;
/** A design's picture is between these wide, so that there is room for its name. */
const DESIGN_PANEL_WIDTH = { min: 460, max: 660 };
/** A picture that would lose more than this is rather shown whole. */
const MAX_CROP = 0.2;
const DRAWING_PADDING = 40;

/**
 * Lays out an artist's card.
 * @param pictures at most four of them are shown
 */
export function layOutArtistCard(
  card: ArtistCardContent,
  { hasAvatar, pictures }: { hasAvatar: boolean; pictures: readonly CardPicture[] },
  letters: FontMetrics,
): CardLayout {
  const panel = panelBox(ARTIST_PANEL_WIDTH);
  const shown = pictures.slice(0, MAX_CARD_PICTURES);
  const bare = shown.length === 0;
  const column = {
    width: panel.left - GUTTER - MARGIN,
    heading: toRenderableText(card.fullName, 'heading', letters) ?? card.username,
    details: [card.studioName, formatCity(card)],
    productName: card.productName,
  };
  const beneath = layOutColumn({ ...column, top: MARGIN + AVATAR_SIZE, eyebrow: null }, letters);
  // A long name is worth more than a small picture.
  const smallAvatar = hasAvatar && !bare && beneath.isComplete;
  const text = smallAvatar
    ? beneath
    : layOutColumn({ ...column, top: MARGIN, eyebrow: 'Tattoos by' }, letters);
  const { lines, stroke, mark } = text;
  return {
    lines,
    stroke,
    mark,
    panel: { box: panel, ground: bare ? 'ink' : 'paper' },
    pictures: tileBoxes(panel, shown).map((box, index) => ({
      pictureIndex: index,
      box,
      fit: shown[index]?.hasTransparency ? 'contain' : 'cover',
    })),
    avatar: avatarBox({ small: smallAvatar, large: hasAvatar && bare }, panel),
    emblem: bare && !hasAvatar ? centeredBox(panel, EMBLEM_SIZE, EMBLEM_SIZE) : null,
  };
}

/** Lays out a design's card; without its picture it is the artist's, with the design's name. */
export function layOutDesignCard(
  card: DesignCardContent,
  picture: CardPicture | null,
  letters: FontMetrics,
): CardLayout {
  const panel = panelBox(designPanelWidth(picture));
  const artist = toRenderableText(card.fullName, 'text', letters) ?? card.username;
  const design = toRenderableText(card.designName, 'heading', letters);
  const { lines, stroke, mark } = layOutColumn(
    {
      top: MARGIN,
      width: panel.left - GUTTER - MARGIN,
      eyebrow: design === null ? 'Tattoo design by' : 'Tattoo design',
      heading: design ?? toRenderableText(card.fullName, 'heading', letters) ?? card.username,
      details: [design === null ? '' : `By ${artist}`, card.studioName],
      productName: card.productName,
    },
    letters,
  );
  return {
    lines,
    stroke,
    mark,
    panel: { box: panel, ground: picture ? 'flash' : 'ink' },
    pictures: picture ? [placeDesignPicture(picture, panel)] : [],
    avatar: null,
    emblem: picture ? null : centeredBox(panel, EMBLEM_SIZE, EMBLEM_SIZE),
  };
}

function formatCity({ city, state }: ArtistCardContent): string {
  return [city, state].filter(Boolean).join(', ');
}

function panelBox(width: number): Box {
  return { left: CARD_SIZE.width - width, top: 0, width, height: CARD_SIZE.height };
}

function centeredBox({ left, top, width, height }: Box, wide: number, high: number): Box {
  return {
    left: left + Math.round((width - wide) / 2),
    top: top + Math.round((height - high) / 2),
    width: wide,
    height: high,
  };
}

function avatarBox({ small, large }: { small: boolean; large: boolean }, panel: Box): Box | null {
  if (large) return centeredBox(panel, LARGE_AVATAR_SIZE, LARGE_AVATAR_SIZE);
  return small ? { left: MARGIN, top: MARGIN, width: AVATAR_SIZE, height: AVATAR_SIZE } : null;
}

function designPanelWidth(picture: CardPicture | null): number {
  if (!picture) return ARTIST_PANEL_WIDTH;
  const { min: least, max: most } = DESIGN_PANEL_WIDTH;
  const whole = Math.round((CARD_SIZE.height * picture.width) / picture.height);
  return Math.min(Math.max(whole, least), most);
}

/** The picture of a design, filling its panel unless that would cut too much of it off. */
function placeDesignPicture(picture: CardPicture, panel: Box): PlacedPicture {
  const aspects = [picture.width / picture.height, panel.width / panel.height];
  const cutOff = 1 - Math.min(...aspects) / Math.max(...aspects);
  if (!picture.hasTransparency && cutOff <= MAX_CROP)
    return { pictureIndex: 0, box: panel, fit: 'cover' };
  const room = 2 * DRAWING_PADDING;
  return {
    pictureIndex: 0,
    box: centeredBox(panel, panel.width - room, panel.height - room),
    fit: 'contain',
  };
}

/** One box for each picture, which together fill the panel but for the gaps between them. */
function tileBoxes(panel: Box, pictures: readonly CardPicture[]): Box[] {
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
const DETAILS = { above: 30, size: 30, height: 44 };
const PRODUCT_SIZE = 26;
const COLUMN_PADDING = 28;

interface ColumnContent {
  /** Where the room for the text begins; the mark ends it. */
  readonly top: number;
  readonly width: number;
  readonly eyebrow: string | null;
  readonly heading: string;
  /** What cannot be written is left out. */
  readonly details: readonly string[];
  readonly productName: string;
}

interface ColumnLayout extends Pick<CardLayout, 'lines' | 'stroke' | 'mark'> {
  /** Whether the heading is all there. */
  readonly isComplete: boolean;
}

/** The text beside the pictures, in the middle of its room, and the product's mark at the foot. */
function layOutColumn(
  { top, width, eyebrow, heading, details, productName }: ColumnContent,
  letters: FontMetrics,
): ColumnLayout {
  const mark = {
    left: MARGIN,
    top: CARD_SIZE.height - MARGIN - MARK_SIZE,
    width: MARK_SIZE,
    height: MARK_SIZE,
  };
  const facts = details.flatMap((text) => toRenderableText(text, 'text', letters) ?? []);
  const room = mark.top - top - 2 * COLUMN_PADDING;
  const around =
    (eyebrow === null ? 0 : EYEBROW.height) +
    (STROKE.above + STROKE.height) +
    (facts.length > 0 ? DETAILS.above + facts.length * DETAILS.height : 0);
  const title = fitHeading(
    heading,
    { width, height: room - around, sizes: HEADING_SIZES },
    letters,
  );

  const lines: TextLine[] = [];
  const height = around + blockHeight(title);
  let y = top + COLUMN_PADDING + Math.max(0, Math.round((room - height) / 2));
  if (eyebrow !== null) {
    const baseline = y + EYEBROW.size;
    const { size } = EYEBROW;
    lines.push({ text: eyebrow, font: 'text', color: 'muted', size, left: MARGIN, baseline });
    y += EYEBROW.height;
  }
  for (const text of title.lines) {
    const baseline = Math.round(y + title.size * 0.86);
    const { size } = title;
    lines.push({ text, font: 'heading', color: 'ink', size, left: MARGIN, baseline });
    y += title.lineHeight;
  }
  const stroke = {
    left: MARGIN,
    top: Math.round(y) + STROKE.above,
    width: STROKE.width,
    height: STROKE.height,
  };
  y = stroke.top + stroke.height + DETAILS.above;
  for (const [index, fact] of facts.entries()) {
    const line = fitLine(fact, { width, size: DETAILS.size }, letters);
    const tone = index === 0 ? 'ink' : 'muted';
    lines.push({ ...line, font: 'text', color: tone, left: MARGIN, baseline: y + DETAILS.size });
    y += DETAILS.height;
  }
  const product = toRenderableText(productName, 'text', letters);
  if (product !== null) {
    const beside = mark.left + MARK_SIZE + 14;
    const line = fitLine(product, { width: MARGIN + width - beside, size: PRODUCT_SIZE }, letters);
    const baseline = mark.top + 29;
    lines.push({ ...line, font: 'text', color: 'ink', left: beside, baseline });
  }
  return { lines, stroke, mark, isComplete: title.isComplete };
}

function blockHeight({ lines, lineHeight }: TextBlock): number {
  return lines.length * lineHeight;
}
