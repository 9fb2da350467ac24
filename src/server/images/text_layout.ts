// Breaks, shrinks and truncates text for images, where no browser does it.

export interface FontMetrics {
  /** Whether the font, or one of its fallback fonts, has a glyph for each character of the text. */
  hasGlyphs(text: string, font: FontRole): boolean;
  /** The text's width in pixels at a font size in pixels. */
  measureWidth(text: string, font: FontRole, size: number): number;
}

export type FontRole = 'heading' | 'text';

export interface TextBlock {
  readonly lines: readonly string[];
  /** The font size in pixels. */
  readonly size: number;
  /** The distance between two baselines in pixels. */
  readonly lineHeight: number;
  /** False when the text was truncated. */
  readonly isComplete: boolean;
}

/** Relative to the font size. */
const LINE_HEIGHT = 1.12;
const ELLIPSIS = '…';
/** `fitLine` truncates a text that is still too wide at this fraction of its size. */
const MIN_SCALE = 0.75;

const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The text on one line, without symbols that the fonts lack, such as emoji.
 * Null when nothing is left, or the fonts lack a letter or digit: half a name would mislead.
 */
export function toRenderableText(text: string, font: FontRole, fonts: FontMetrics): string | null {
  const plain = text
    .normalize('NFC')
    .replace(/[\p{Z}\s]+/gu, ' ')
    .replace(/\p{C}/gu, '');
  let renderable = '';
  for (const { segment } of graphemeSegmenter.segment(plain)) {
    if (fonts.hasGlyphs(segment, font)) renderable += segment;
    else if (/[\p{L}\p{N}]/u.test(segment)) return null;
  }
  // A removed symbol may leave two adjacent spaces.
  return renderable.replace(/ +/g, ' ').trim() || null;
}

/**
 * Breaks a heading into lines in the largest size that fits without breaking a word. If no size
 * fits, breaks words in the smallest size, and truncates a text that is still too long.
 * @param sizes in pixels, the largest first
 */
export function fitHeading(
  text: string,
  { width, height, sizes }: { width: number; height: number; sizes: readonly number[] },
  fonts: FontMetrics,
): TextBlock {
  for (const size of sizes) {
    const widthOf = (part: string) => fonts.measureWidth(part, 'heading', size);
    // `splitWords` keeps the space before a word, but a line begins without it.
    const wordsFit = splitWords(text).every((word) => widthOf(word.trimStart()) <= width);
    const lines = breakLines(text, width, widthOf);
    const lineHeight = size * LINE_HEIGHT;
    if (wordsFit && lines.length * lineHeight <= height)
      return { lines: balanceLines(text, width, widthOf), size, lineHeight, isComplete: true };
  }
  const size = sizes.at(-1) ?? 0;
  const lineHeight = size * LINE_HEIGHT;
  const widthOf = (part: string) => fonts.measureWidth(part, 'heading', size);
  const lines = breakLines(text, width, widthOf);
  const maxLines = Math.max(1, Math.floor(height / lineHeight));
  if (lines.length <= maxLines) return { lines, size, lineHeight, isComplete: true };
  const lastLine = truncate(lines.slice(maxLines - 1).join(' '), width, widthOf);
  const shownLines = [...lines.slice(0, maxLines - 1), lastLine];
  return { lines: shownLines, size, lineHeight, isComplete: false };
}

/** Fits a text on one line: shrinks it down to `MIN_SCALE`, then truncates it. */
export function fitLine(
  text: string,
  { width, size }: { width: number; size: number },
  fonts: FontMetrics,
): { readonly text: string; readonly size: number } {
  const fullWidth = fonts.measureWidth(text, 'text', size);
  const fittingSize = Math.max(
    size * MIN_SCALE,
    Math.min(size, Math.floor((size * width) / fullWidth)),
  );
  return {
    text: truncate(text, width, (part) => fonts.measureWidth(part, 'text', fittingSize)),
    size: fittingSize,
  };
}

type MeasureWidth = (text: string) => number;

/** Fills each line with as many words as fit; a word that is wider than a line is broken. */
function breakLines(text: string, width: number, widthOf: MeasureWidth): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of splitWords(text).flatMap((word) => breakWord(word, width, widthOf))) {
    if (line !== '' && widthOf(line + part) > width) {
      lines.push(line);
      line = part.trimStart();
    } else line += line === '' ? part.trimStart() : part;
  }
  return line === '' ? lines : [...lines, line];
}

/** Splits before spaces and after hyphens; a word keeps the space before it. */
function splitWords(text: string): string[] {
  return text.split(/(?=\s)|(?<=\p{L}-)(?=\p{L})/u);
}

function breakWord(word: string, width: number, widthOf: MeasureWidth): string[] {
  if (widthOf(word.trimStart()) <= width) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of graphemeSegmenter.segment(word)) {
    if (piece !== '' && widthOf((piece + segment).trimStart()) > width) {
      pieces.push(piece);
      piece = segment;
    } else piece += segment;
  }
  return [...pieces, piece];
}

/** Makes lines of similar width: finds the least width (to 4 pixels) that needs no more lines. */
function balanceLines(text: string, width: number, widthOf: MeasureWidth): string[] {
  let lines = breakLines(text, width, widthOf);
  const minLines = lines.length;
  const longestWord = Math.max(...splitWords(text).map((word) => widthOf(word.trimStart())));
  for (let [min, max] = [longestWord, width]; max - min > 4; ) {
    const middle = (min + max) / 2;
    const narrower = breakLines(text, middle, widthOf);
    if (narrower.length > minLines) min = middle;
    else {
      lines = narrower;
      max = middle;
    }
  }
  return lines;
}

/** Cuts a text that is too wide, and adds an ellipsis; keeps at least one character. */
function truncate(text: string, width: number, widthOf: MeasureWidth): string {
  if (widthOf(text) <= width) return text;
  const graphemes = [...graphemeSegmenter.segment(text)].map(({ segment }) => segment);
  const shortened = () => graphemes.join('').trimEnd() + ELLIPSIS;
  while (graphemes.length > 1 && widthOf(shortened()) > width) graphemes.pop();
  return shortened();
}
