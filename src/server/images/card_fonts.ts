import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Face, Font, Blob as HarfBuzzBlob, Buffer as HarfBuzzBuffer, shape } from 'harfbuzzjs';
import type { TextLine } from './share_card_layout.ts';
import type { FontMetrics, FontRole } from './text_layout.ts';

const FONTS_FOLDER = join(import.meta.dirname, '../../fonts/cards');

/** In order of preference; Noto Serif also has Vietnamese, Greek and Cyrillic letters. */
const FONT_FAMILIES = {
  heading: ['young-serif', 'noto-serif'],
  text: ['instrument-sans', 'noto-serif'],
} as const satisfies Record<FontRole, readonly string[]>;

/** The font files that `scripts/subset_fonts.py` writes; each has some of a family's characters. */
const FONT_SUBSETS = {
  'young-serif': ['latin', 'latin-ext'],
  'instrument-sans': ['latin', 'latin-ext'],
  'noto-serif': ['latin', 'vietnamese', 'cyrillic', 'greek'],
} as const;

/** Writes text as SVG outlines, because a Docker container has no fonts installed. */
export interface CardFonts extends FontMetrics {
  /** A line as SVG paths without a fill: the paths take the colour of the element around them. */
  toSvg(line: TextLine): string;
}

interface FontFile {
  readonly font: Font;
  /** Unicode code points. */
  readonly characters: ReadonlySet<number>;
  readonly unitsPerEm: number;
}

/** The files of each family, the preferred family first. */
type Families = readonly (readonly FontFile[])[];

/** A part of a text that one font file can write. */
interface Run {
  readonly file: FontFile;
  text: string;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Reads all fonts; they take about 1 MB of memory. */
export async function openCardFonts(): Promise<CardFonts> {
  const fonts = {
    heading: await openFontFamilies('heading'),
    text: await openFontFamilies('text'),
  };
  return {
    hasGlyphs: (text, role) => findRuns(text, fonts[role]) !== undefined,
    measureWidth(text, role, size) {
      const runs = findRuns(text, fonts[role]) ?? [];
      return runs.reduce((width, run) => width + shapeRun(run, size).width, 0);
    },
    toSvg({ text, font: role, size, left, baseline }) {
      let x = left;
      const groups = (findRuns(text, fonts[role]) ?? []).map((run) => {
        const { width, paths, scale } = shapeRun(run, size);
        // In font units, y points up; in SVG it points down.
        const transform = `translate(${x} ${baseline}) scale(${scale} ${-scale})`;
        x += width;
        return `<g transform="${transform}">${paths}</g>`;
      });
      return groups.join('');
    },
  };
}

function openFontFamilies(role: FontRole): Promise<Families> {
  return Promise.all(
    FONT_FAMILIES[role].map((family) =>
      Promise.all(FONT_SUBSETS[family].map((subset) => openFontFile(`${family}-${subset}.ttf`))),
    ),
  );
}

async function openFontFile(name: string): Promise<FontFile> {
  const face = new Face(new HarfBuzzBlob(await readFile(join(FONTS_FOLDER, name))));
  return {
    font: new Font(face),
    characters: new Set(face.collectUnicodes()),
    unitsPerEm: face.upem,
  };
}

/** Tries each family alone, then all families together; undefined if they lack a character. */
function findRuns(text: string, families: Families): Run[] | undefined {
  for (const files of [...families, families.flat()]) {
    const runs = splitIntoRuns(text, files);
    if (runs) return runs;
  }
  return undefined;
}

function splitIntoRuns(text: string, files: readonly FontFile[]): Run[] | undefined {
  const runs: Run[] = [];
  for (const { segment } of graphemes.segment(text)) {
    const codes = Array.from(segment, (character) => character.codePointAt(0) ?? 0);
    const last = runs.at(-1);
    // The file of the previous run comes first, so that a space does not end that run.
    const file = [...(last ? [last.file] : []), ...files].find(({ characters }) =>
      codes.every((code) => characters.has(code)),
    );
    if (!file) return undefined;
    if (last?.file === file) last.text += segment;
    else runs.push({ file, text: segment });
  }
  return runs;
}

/** Chooses and positions a run's glyphs; paths are in font units, the width is in pixels. */
function shapeRun({ file, text }: Run, size: number) {
  const buffer = new HarfBuzzBuffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  shape(file.font, buffer);
  const positions = buffer.getGlyphPositions();
  let advance = 0;
  let paths = '';
  for (const [index, { codepoint: glyph }] of buffer.getGlyphInfos().entries()) {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    // `shape` has replaced each code point by a glyph's number.
    const path = file.font.glyphToPath(glyph);
    if (path) paths += `<path transform="translate(${advance + xOffset} ${yOffset})" d="${path}"/>`;
    advance += xAdvance;
  }
  const scale = size / file.unitsPerEm;
  return { width: advance * scale, paths, scale };
}
