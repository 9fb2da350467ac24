// How a text becomes lines where nobody else breaks them: on a picture.

/** What can be written, and how wide it runs. */
export interface FontMetrics {
  /** Whether the fonts have all its characters. */
  hasGlyphs(text: string, voice: FontRole): boolean;
  /** In pixels, of a text in letters of that size. */
  measureWidth(text: string, voice: FontRole, size: number): number;
}

/** A serif for headings, a sans for all else. */
export type FontRole = 'heading' | 'text';

/** A text in lines of about the same length. */
export interface TextBlock {
  readonly lines: readonly string[];
  /** Of the letters, and from one baseline to the next, in pixels. */
  readonly size: number;
  readonly lineHeight: number;
  /** False when some of it was cut off. */
  readonly isComplete: boolean;
}

const LINE_HEIGHT = 1.12;
const ELLIPSIS = '…';
/** A line shrinks to this much of its size before it is cut. */
const MIN_SCALE = 0.75;

const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A text as it can be written: on one line, without signs that the fonts lack, such as emoji. Null
 * when a letter or digit is among those, as half a name is none.
 */
export function toRenderableText(
  text: string,
  voice: FontRole,
  letters: FontMetrics,
): string | null {
  const plain = text
    .normalize('NFC')
    .replace(/[\p{Z}\s]+/gu, ' ')
    .replace(/\p{C}/gu, '');
  let kept = '';
  for (const { segment } of graphemeSegmenter.segment(plain)) {
    if (letters.hasGlyphs(segment, voice)) kept += segment;
    else if (/[\p{L}\p{N}]/u.test(segment)) return null;
  }
  return kept.replace(/ +/g, ' ').trim() || null;
}

/**
 * A heading in the largest of the sizes in which it fits, without breaking a word if that can be
 * helped. What does not fit in the smallest is cut.
 * @param sizes in pixels, the largest first
 */
export function fitHeading(
  text: string,
  { width, height, sizes }: { width: number; height: number; sizes: readonly number[] },
  letters: FontMetrics,
): TextBlock {
  for (const size of sizes) {
    const widthOf = (part: string) => letters.measureWidth(part, 'heading', size);
    const whole = splitWords(text).every((part) => widthOf(part.trimStart()) <= width);
    const lines = breakLines(text, width, widthOf);
    const lineHeight = size * LINE_HEIGHT;
    if (whole && lines.length * lineHeight <= height)
      return { lines: balanceLines(text, width, widthOf), size, lineHeight, isComplete: true };
  }
  const size = sizes.at(-1) ?? 0;
  const lineHeight = size * LINE_HEIGHT;
  const widthOf = (part: string) => letters.measureWidth(part, 'heading', size);
  const lines = breakLines(text, width, widthOf);
  const most = Math.max(1, Math.floor(height / lineHeight));
  const isWhole = lines.length <= most;
  if (isWhole) return { lines, size, lineHeight, isComplete: isWhole };
  const last = truncate(lines.slice(most - 1).join(' '), width, widthOf);
  return { lines: [...lines.slice(0, most - 1), last], size, lineHeight, isComplete: isWhole };
}

/** One line, a little smaller if it must be, and cut if that is not enough. */
export function fitLine(
  text: string,
  { width, size }: { width: number; size: number },
  letters: FontMetrics,
): { readonly text: string; readonly size: number } {
  const needed = letters.measureWidth(text, 'text', size);
  const fitting = Math.max(size * MIN_SCALE, Math.min(size, Math.floor((size * width) / needed)));
  return {
    text: truncate(text, width, (part) => letters.measureWidth(part, 'text', fitting)),
    size: fitting,
  };
}

type MeasureWidth = (text: string) => number;

/** Each line takes as many words as it holds; a word that no line holds is broken. */
function breakLines(text: string, width: number, widthOf: MeasureWidth): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of splitWords(text).flatMap((one) => breakWord(one, width, widthOf))) {
    if (line !== '' && widthOf(line + part) > width) {
      lines.push(line);
      line = part.trimStart();
    } else line += line === '' ? part.trimStart() : part;
  }
  return line === '' ? lines : [...lines, line];
}

/** Words, each with the space before it, and what a hyphen makes of them. */
function splitWords(text: string): string[] {
  return text.split(/(?=\s)|(?<=\p{L}-)(?=\p{L})/u);
}

function breakWord(part: string, width: number, widthOf: MeasureWidth): string[] {
  if (widthOf(part.trimStart()) <= width) return [part];
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of graphemeSegmenter.segment(part)) {
    if (piece !== '' && widthOf((piece + segment).trimStart()) > width) {
      pieces.push(piece);
      piece = segment;
    } else piece += segment;
  }
  return [...pieces, piece];
}

/** As many lines as it takes, and none much longer than another. */
function balanceLines(text: string, width: number, widthOf: MeasureWidth): string[] {
  let lines = breakLines(text, width, widthOf);
  const { length } = lines;
  const longestWord = Math.max(...splitWords(text).map((part) => widthOf(part.trimStart())));
  for (let [least, most] = [longestWord, width]; most - least > 4; ) {
    const middle = (least + most) / 2;
    const tried = breakLines(text, middle, widthOf);
    if (tried.length > length) least = middle;
    else {
      lines = tried;
      most = middle;
    }
  }
  return lines;
}

/** The text if it fits, else as much of it as does. */
function truncate(text: string, width: number, widthOf: MeasureWidth): string {
  if (widthOf(text) <= width) return text;
  const parts = [...graphemeSegmenter.segment(text)].map(({ segment }) => segment);
  while (parts.length > 1 && widthOf(parts.join('').trimEnd() + ELLIPSIS) > width) parts.pop();
  return parts.join('').trimEnd() + ELLIPSIS;
}
