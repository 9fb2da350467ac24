import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Face, Font, Blob as HarfBuzzBlob, Buffer as HarfBuzzBuffer, shape } from 'harfbuzzjs';
import type { TextLine } from '#domain/share_card.ts';
import type { FontMetrics, FontRole } from '#domain/text_layout.ts';

const FONTS_FOLDER = join(import.meta.dirname, '../../fonts/cards');

/** Ours first; then one that also has Vietnamese, Greek and Cyrillic letters. */
const FONT_FAMILIES = {
  heading: ['young-serif', 'noto-serif'],
  text: ['instrument-sans', 'noto-serif'],
} as const satisfies Record<FontRole, readonly string[]>;

/** Of `scripts/subset_fonts.py`: each file holds some of a family's characters. */
const FONT_SUBSETS = {
  'young-serif': ['latin', 'latin-ext'],
  'instrument-sans': ['latin', 'latin-ext'],
  'noto-serif': ['latin', 'vietnamese', 'cyrillic', 'greek'],
} as const;

/** Letters as outlines, so that nothing depends on the fonts of a machine: a container has none. */
export interface CardFonts extends FontMetrics {
  /** A line as SVG, in the colour of what it is put into. */
  toSvg(line: TextLine): string;
}

interface FontFile {
  readonly font: Font;
  readonly characters: ReadonlySet<number>;
  /** How many of its units are as high as its letters are large. */
  readonly unitsPerEm: number;
}

type Families = readonly (readonly FontFile[])[];

/** A part of a text that one file writes. */
interface Run {
  readonly file: FontFile;
  text: string;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Reads the fonts; they stay in memory, about 1 MB. */
export async function openCardFonts(): Promise<CardFonts> {
  const voices = {
    heading: await openFontFamilies('heading'),
    text: await openFontFamilies('text'),
  };
  return {
    hasGlyphs: (text, voice) => findRuns(text, voices[voice]) !== undefined,
    measureWidth(text, voice, size) {
      const runs = findRuns(text, voices[voice]) ?? [];
      return runs.reduce((width, run) => width + shapeRun(run, size).width, 0);
    },
    toSvg({ text, font: voice, size, left, baseline }) {
      let x = left;
      const drawn = (findRuns(text, voices[voice]) ?? []).map((run) => {
        const { width, paths, scale } = shapeRun(run, size);
        const at = `translate(${x} ${baseline}) scale(${scale} ${-scale})`;
        x += width;
        return `<g transform="${at}">${paths}</g>`;
      });
      return drawn.join('');
    },
  };
}

function openFontFamilies(voice: FontRole): Promise<Families> {
  return Promise.all(
    FONT_FAMILIES[voice].map((family) =>
      Promise.all(FONT_SUBSETS[family].map((part) => openFontFile(`${family}-${part}.ttf`))),
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

/** A text in one family, or else in whatever has its characters; undefined when nothing has. */
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
    // A word is not taken apart by a space that every file has.
    const able = [...(last ? [last.file] : []), ...files].find(({ characters }) =>
      codes.every((code) => characters.has(code)),
    );
    if (!able) return undefined;
    if (last?.file === able) last.text += segment;
    else runs.push({ file: able, text: segment });
  }
  return runs;
}

/** A run's glyphs, kerned and joined as the font says, in its units; its width is in pixels. */
function shapeRun({ file, text }: Run, size: number) {
  const buffer = new HarfBuzzBuffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  shape(file.font, buffer);
  const places = buffer.getGlyphPositions();
  let pen = 0;
  let paths = '';
  for (const [index, { codepoint: glyph }] of buffer.getGlyphInfos().entries()) {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = places[index] ?? {};
    const path = file.font.glyphToPath(glyph);
    if (path) paths += `<path transform="translate(${pen + xOffset} ${yOffset})" d="${path}"/>`;
    pen += xAdvance;
  }
  const scale = size / file.unitsPerEm;
  return { width: pen * scale, paths, scale };
}
