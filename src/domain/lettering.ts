// How a text becomes lines where nobody else breaks them: on a picture.

/** What can be written, and how wide it runs. */
export interface Lettering {
  /** Whether the fonts have all its characters. */
  canWrite(text: string, voice: Voice): boolean;
  /** In pixels, of a text in letters of that size. */
  widthOf(text: string, voice: Voice, size: number): number;
}

/** A serif for headings, a sans for all else. */
export type Voice = 'heading' | 'text';

/** A text in lines of about the same length. */
export interface Balanced {
  readonly lines: readonly string[];
  /** Of the letters, and from one baseline to the next, in pixels. */
  readonly size: number;
  readonly lineHeight: number;
  /** False when some of it was cut off. */
  readonly isWhole: boolean;
}

const LINE_HEIGHT = 1.12;
const ELLIPSIS = '…';
/** A line shrinks to this much of its size before it is cut. */
const SMALLEST = 0.75;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A text as it can be written: on one line, without signs that the fonts lack, such as emoji. Null
 * when a letter or digit is among those, as half a name is none.
 */
export function writable(text: string, voice: Voice, letters: Lettering): string | null {
  const plain = text
    .normalize('NFC')
    .replace(/[\p{Z}\s]+/gu, ' ')
    .replace(/\p{C}/gu, '');
  let kept = '';
  for (const { segment } of graphemes.segment(plain)) {
    if (letters.canWrite(segment, voice)) kept += segment;
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
  letters: Lettering,
): Balanced {
  for (const size of sizes) {
    const widthOf = (part: string) => letters.widthOf(part, 'heading', size);
    const whole = partsOf(text).every((part) => widthOf(part.trimStart()) <= width);
    const lines = breakLines(text, width, widthOf);
    const lineHeight = size * LINE_HEIGHT;
    if (whole && lines.length * lineHeight <= height)
      return { lines: balance(text, width, widthOf), size, lineHeight, isWhole: true };
  }
  const size = sizes.at(-1) ?? 0;
  const lineHeight = size * LINE_HEIGHT;
  const widthOf = (part: string) => letters.widthOf(part, 'heading', size);
  const lines = breakLines(text, width, widthOf);
  const most = Math.max(1, Math.floor(height / lineHeight));
  const isWhole = lines.length <= most;
  if (isWhole) return { lines, size, lineHeight, isWhole };
  const last = cut(lines.slice(most - 1).join(' '), width, widthOf);
  return { lines: [...lines.slice(0, most - 1), last], size, lineHeight, isWhole };
}

/** One line, a little smaller if it must be, and cut if that is not enough. */
export function fitLine(
  text: string,
  { width, size }: { width: number; size: number },
  letters: Lettering,
): { readonly text: string; readonly size: number } {
  const needed = letters.widthOf(text, 'text', size);
  const fitting = Math.max(size * SMALLEST, Math.min(size, Math.floor((size * width) / needed)));
  return {
    text: cut(text, width, (part) => letters.widthOf(part, 'text', fitting)),
    size: fitting,
  };
}

type WidthOf = (text: string) => number;

/** Each line takes as many words as it holds; a word that no line holds is broken. */
function breakLines(text: string, width: number, widthOf: WidthOf): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of partsOf(text).flatMap((one) => breakPart(one, width, widthOf))) {
    if (line !== '' && widthOf(line + part) > width) {
      lines.push(line);
      line = part.trimStart();
    } else line += line === '' ? part.trimStart() : part;
  }
  return line === '' ? lines : [...lines, line];
}

/** Words, each with the space before it, and what a hyphen makes of them. */
function partsOf(text: string): string[] {
  return text.split(/(?=\s)|(?<=\p{L}-)(?=\p{L})/u);
}

function breakPart(part: string, width: number, widthOf: WidthOf): string[] {
  if (widthOf(part.trimStart()) <= width) return [part];
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of graphemes.segment(part)) {
    if (piece !== '' && widthOf((piece + segment).trimStart()) > width) {
      pieces.push(piece);
      piece = segment;
    } else piece += segment;
  }
  return [...pieces, piece];
}

/** As many lines as it takes, and none much longer than another. */
function balance(text: string, width: number, widthOf: WidthOf): string[] {
  let lines = breakLines(text, width, widthOf);
  const { length } = lines;
  const longestWord = Math.max(...partsOf(text).map((part) => widthOf(part.trimStart())));
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
function cut(text: string, width: number, widthOf: WidthOf): string {
  if (widthOf(text) <= width) return text;
  const parts = [...graphemes.segment(text)].map(({ segment }) => segment);
  while (parts.length > 1 && widthOf(parts.join('').trimEnd() + ELLIPSIS) > width) parts.pop();
  return parts.join('').trimEnd() + ELLIPSIS;
}
