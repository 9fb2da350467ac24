/** Computes the positions of texts and pictures on a share card: the preview of a shared link. */
import { MAX_SHARE_CARD_PICTURES, SHARE_CARD_SIZE } from '#domain/artwork.ts';
import type { ArtistCardContent, DesignCardContent } from './share_card_renderer.ts';
import {
  type FontMetrics,
  type FontRole,
  fitHeading,
  fitLine,
  toRenderableText,
} from './text_layout.ts';

/** A rectangle in pixels, measured from the card's upper left corner. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface CardPicture {
  readonly width: number;
  readonly height: number;
  /** A picture with transparent pixels counts as a drawing, which is never cropped. */
  readonly hasTransparency: boolean;
}

export interface TextLine {
  readonly text: string;
  readonly font: FontRole;
  readonly color: 'ink' | 'muted';
  /** The font size in pixels. */
  readonly size: number;
  readonly left: number;
  readonly baseline: number;
}

export interface PlacedPicture {
  /** An index into the pictures that the layout function received. */
  readonly pictureIndex: number;
  readonly box: Box;
  /** As CSS `object-fit`: `cover` crops, `contain` shows the whole picture. */
  readonly fit: 'cover' | 'contain';
}

export interface CardLayout {
  readonly lines: readonly TextLine[];
  /** The short bar under the heading. */
  readonly underline: Box;
  /** The product's logo mark: a square with a curve in it. */
  readonly mark: Box;
  /** The right part of the card, behind the pictures; its background is a site colour. */
  readonly panel: { readonly box: Box; readonly background: 'paper' | 'flash' | 'ink' };
  readonly pictures: readonly PlacedPicture[];
  /** The artist's profile picture, in a circle. */
  readonly avatar: Box | null;
  /** The mark's curve alone, drawn large when the card shows neither a picture nor an avatar. */
  readonly emblem: Box | null;
}

// Lengths are in pixels.
const MARGIN = 64;
/** Between the text and the panel. */
const PANEL_GAP = 56;
const PICTURE_GAP = 8;
const MARK_SIZE = 40;
const SMALL_AVATAR_SIZE = 112;
const LARGE_AVATAR_SIZE = 360;
const EMBLEM_SIZE = 420;
/** Also the width of a design's panel without a picture. */
const ARTIST_PANEL_WIDTH = 584;
/** Bounds of a design panel's width, which follows the picture's shape. */
const DESIGN_PANEL_WIDTH = { min: 460, max: 660 };
/** A design's picture is shown whole if cropping would remove more than this fraction of it. */
const MAX_CROPPED_FRACTION = 0.2;
/** The space around a design's picture that is shown whole. */
const DESIGN_PADDING = 40;

/** Lays out an artist's card with the first `MAX_SHARE_CARD_PICTURES` pictures. */
export function layOutArtistCard(
  card: ArtistCardContent,
  { hasAvatar, pictures }: { hasAvatar: boolean; pictures: readonly CardPicture[] },
  fonts: FontMetrics,
): CardLayout {
  const panel = panelBox(ARTIST_PANEL_WIDTH);
  const shown = pictures.slice(0, MAX_SHARE_CARD_PICTURES);
  const hasPictures = shown.length > 0;
  const content = {
    width: panel.left - PANEL_GAP - MARGIN,
    // `toRenderableText` returns null when the fonts cannot write the name.
    heading: toRenderableText(card.fullName, 'heading', fonts) ?? card.username,
    // `layOutColumn` leaves out empty texts.
    details: [card.studioName, [card.city, card.state].filter(Boolean).join(', ')],
    productName: card.productName,
  };
  // The avatar replaces the eyebrow: the small line above the heading.
  const columnBelowAvatar = layOutColumn(
    { ...content, top: MARGIN + SMALL_AVATAR_SIZE, eyebrow: null },
    fonts,
  );
  // Beside pictures, the avatar is left out if the whole name would not fit below it.
  const hasSmallAvatar = hasAvatar && hasPictures && columnBelowAvatar.isHeadingComplete;
  const column = hasSmallAvatar
    ? columnBelowAvatar
    : layOutColumn({ ...content, top: MARGIN, eyebrow: 'Tattoos by' }, fonts);
  const smallAvatar = hasSmallAvatar ? smallAvatarBox() : null;
  const largeAvatar = hasAvatar ? centeredBox(panel, LARGE_AVATAR_SIZE, LARGE_AVATAR_SIZE) : null;
  return {
    ...column.elements,
    panel: { box: panel, background: hasPictures ? 'paper' : 'ink' },
    pictures: tileBoxes(panel, shown).map((box, index) => ({
      pictureIndex: index,
      box,
      fit: shown[index]?.hasTransparency ? 'contain' : 'cover',
    })),
    avatar: hasPictures ? smallAvatar : largeAvatar,
    emblem: hasPictures || hasAvatar ? null : centeredBox(panel, EMBLEM_SIZE, EMBLEM_SIZE),
  };
}

/**
 * Lays out a design's card.
 * @param picture null when its file cannot be read; then the card shows the emblem
 */
export function layOutDesignCard(
  card: DesignCardContent,
  picture: CardPicture | null,
  fonts: FontMetrics,
): CardLayout {
  const panel = panelBox(designPanelWidth(picture));
  const artistName = toRenderableText(card.fullName, 'text', fonts) ?? card.username;
  // If this is null, the artist's name is the heading.
  const designName = toRenderableText(card.designName, 'heading', fonts);
  const { elements } = layOutColumn(
    {
      top: MARGIN,
      width: panel.left - PANEL_GAP - MARGIN,
      eyebrow: designName === null ? 'Tattoo design by' : 'Tattoo design',
      heading: designName ?? toRenderableText(card.fullName, 'heading', fonts) ?? card.username,
      details: [designName === null ? '' : `By ${artistName}`, card.studioName],
      productName: card.productName,
    },
    fonts,
  );
  return {
    ...elements,
    panel: { box: panel, background: picture ? 'flash' : 'ink' },
    pictures: picture ? [placeDesignPicture(picture, panel)] : [],
    avatar: null,
    emblem: picture ? null : centeredBox(panel, EMBLEM_SIZE, EMBLEM_SIZE),
  };
}

function panelBox(width: number): Box {
  return { left: SHARE_CARD_SIZE.width - width, top: 0, width, height: SHARE_CARD_SIZE.height };
}

function centeredBox(outer: Box, width: number, height: number): Box {
  return {
    left: outer.left + Math.round((outer.width - width) / 2),
    top: outer.top + Math.round((outer.height - height) / 2),
    width,
    height,
  };
}

function smallAvatarBox(): Box {
  return { left: MARGIN, top: MARGIN, width: SMALL_AVATAR_SIZE, height: SMALL_AVATAR_SIZE };
}

function designPanelWidth(picture: CardPicture | null): number {
  if (!picture) return ARTIST_PANEL_WIDTH;
  const { min, max } = DESIGN_PANEL_WIDTH;
  const uncroppedWidth = Math.round((SHARE_CARD_SIZE.height * picture.width) / picture.height);
  return Math.min(Math.max(uncroppedWidth, min), max);
}

/** A design's picture fills its panel, unless it is a drawing or would lose too much. */
function placeDesignPicture(picture: CardPicture, panel: Box): PlacedPicture {
  const aspectRatios = [picture.width / picture.height, panel.width / panel.height];
  const croppedFraction = 1 - Math.min(...aspectRatios) / Math.max(...aspectRatios);
  if (!picture.hasTransparency && croppedFraction <= MAX_CROPPED_FRACTION)
    return { pictureIndex: 0, box: panel, fit: 'cover' };
  return {
    pictureIndex: 0,
    box: centeredBox(panel, panel.width - 2 * DESIGN_PADDING, panel.height - 2 * DESIGN_PADDING),
    fit: 'contain',
  };
}

/** One box for each of up to four pictures; the boxes fill the panel, with gaps between them. */
function tileBoxes(panel: Box, pictures: readonly CardPicture[]): Box[] {
  const { left, top, width, height } = panel;
  const quarter = { width: (width - PICTURE_GAP) / 2, height: (height - PICTURE_GAP) / 2 };
  const topLeft = { left, top, ...quarter };
  const topRight = { ...topLeft, left: left + quarter.width + PICTURE_GAP };
  const bottomLeft = { ...topLeft, top: top + quarter.height + PICTURE_GAP };
  const bottomRight = { ...bottomLeft, left: topRight.left };
  switch (pictures.length) {
    case 0:
      return [];
    case 1:
      return [panel];
    case 2:
      return pictures.every((picture) => picture.width > picture.height)
        ? [
            { ...topLeft, width },
            { ...bottomLeft, width },
          ]
        : [
            { ...topLeft, height },
            { ...topRight, height },
          ];
    case 3:
      return [{ ...topLeft, height }, topRight, bottomRight];
    default:
      return [topLeft, topRight, bottomLeft, bottomRight];
  }
}

const EYEBROW = { size: 30, lineHeight: 46 };
/** Font sizes to try, the largest first. */
const HEADING_SIZES = [92, 80, 70, 60, 52, 44, 38];
/** How far the heading fonts rise above the baseline, relative to the font size. */
const HEADING_ASCENT = 0.86;
const UNDERLINE = { spaceAbove: 30, width: 72, height: 8 };
const DETAILS = { spaceAbove: 30, size: 30, lineHeight: 44 };
const PRODUCT_NAME = { size: 26, spaceLeft: 14, baselineBelowMarkTop: 29 };
/** The least space above and below the text. */
const COLUMN_PADDING = 28;

interface ColumnContent {
  /** The text is between this y coordinate and the logo mark. */
  readonly top: number;
  readonly width: number;
  readonly eyebrow: string | null;
  readonly heading: string;
  /** The lines below the heading. Lines that the fonts cannot write are left out. */
  readonly details: readonly string[];
  readonly productName: string;
}

interface ColumnLayout {
  readonly elements: Pick<CardLayout, 'lines' | 'underline' | 'mark'>;
  /** False when the heading was truncated. */
  readonly isHeadingComplete: boolean;
}

/** Lays out the text left of the panel, and below it the logo mark and the product's name. */
function layOutColumn(
  { top, width, eyebrow, heading, details, productName }: ColumnContent,
  fonts: FontMetrics,
): ColumnLayout {
  const mark = {
    left: MARGIN,
    top: SHARE_CARD_SIZE.height - MARGIN - MARK_SIZE,
    width: MARK_SIZE,
    height: MARK_SIZE,
  };
  const detailLines = details.flatMap((text) => toRenderableText(text, 'text', fonts) ?? []);
  const availableHeight = mark.top - top - 2 * COLUMN_PADDING;
  const heightWithoutHeading =
    (eyebrow === null ? 0 : EYEBROW.lineHeight) +
    (UNDERLINE.spaceAbove + UNDERLINE.height) +
    (detailLines.length > 0 ? DETAILS.spaceAbove + detailLines.length * DETAILS.lineHeight : 0);
  const fitted = fitHeading(
    heading,
    { width, height: availableHeight - heightWithoutHeading, sizes: HEADING_SIZES },
    fonts,
  );

  const lines: TextLine[] = [];
  const usedHeight = heightWithoutHeading + fitted.lines.length * fitted.lineHeight;
  let y = top + COLUMN_PADDING + Math.max(0, Math.round((availableHeight - usedHeight) / 2));
  if (eyebrow !== null) {
    const { size } = EYEBROW;
    const baseline = y + size;
    lines.push({ text: eyebrow, font: 'text', color: 'muted', size, left: MARGIN, baseline });
    y += EYEBROW.lineHeight;
  }
  for (const text of fitted.lines) {
    const { size } = fitted;
    const baseline = Math.round(y + size * HEADING_ASCENT);
    lines.push({ text, font: 'heading', color: 'ink', size, left: MARGIN, baseline });
    y += fitted.lineHeight;
  }
  const underline = {
    left: MARGIN,
    top: Math.round(y) + UNDERLINE.spaceAbove,
    width: UNDERLINE.width,
    height: UNDERLINE.height,
  };
  y = underline.top + underline.height + DETAILS.spaceAbove;
  for (const [index, detail] of detailLines.entries()) {
    const line = fitLine(detail, { width, size: DETAILS.size }, fonts);
    const color = index === 0 ? 'ink' : 'muted';
    lines.push({ ...line, font: 'text', color, left: MARGIN, baseline: y + DETAILS.size });
    y += DETAILS.lineHeight;
  }
  const product = toRenderableText(productName, 'text', fonts);
  if (product !== null) {
    const left = mark.left + MARK_SIZE + PRODUCT_NAME.spaceLeft;
    const { size } = PRODUCT_NAME;
    const line = fitLine(product, { width: MARGIN + width - left, size }, fonts);
    const baseline = mark.top + PRODUCT_NAME.baselineBelowMarkTop;
    lines.push({ ...line, font: 'text', color: 'ink', left, baseline });
  }
  return { elements: { lines, underline, mark }, isHeadingComplete: fitted.isComplete };
}
