import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createElement, type ReactNode } from 'react';
import satori, { type Font, type SatoriNode } from 'satori';

const FONTS_FOLDER = join(import.meta.dirname, '../../fonts/cards');

/** The files that `scripts/subset_fonts.py` writes; Noto Serif has letters that the others lack. */
const FONT_FILES = {
  heading: ['young-serif-latin', 'young-serif-latin-ext'],
  text: ['instrument-sans-latin', 'instrument-sans-latin-ext'],
  fallback: ['latin', 'vietnamese', 'cyrillic', 'greek'].map((subset) => `noto-serif-${subset}`),
};

/** Satori caches the parsed fonts by these arrays. */
const FONTS = {
  heading: await readFonts(FONT_FILES.heading),
  text: await readFonts(FONT_FILES.text),
  all: await readFonts(Object.values(FONT_FILES).flat()),
};

/** A text that the fonts can write. */
export interface CardText {
  readonly text: string;
  /** As in CSS. */
  readonly fontFamily: string;
  /** The width on one line, relative to the font size. */
  readonly width: number;
}

export interface Drawing {
  readonly svg: string;
  /** The box of each element, in pixels from the upper left corner, by its key or else a number. */
  readonly nodes: ReadonlyMap<string | number, SatoriNode>;
  /** Characters that the fonts lack, each at least once. */
  readonly missing: readonly string[];
}

function readFonts(names: readonly string[]): Promise<Font[]> {
  const readFont = async (name: string) => ({
    name,
    data: await readFile(join(FONTS_FOLDER, `${name}.ttf`)),
  });
  return Promise.all(names.map(readFont));
}

/**
 * The text on one line, without symbols that the fonts lack, such as emoji.
 * Null when nothing is left, or the fonts lack a letter or digit: half a name would mislead.
 */
export async function toCardText(text: string, role: 'heading' | 'text'): Promise<CardText | null> {
  const spaced = text.normalize('NFC').replace(/[\p{Z}\s]+/gu, ' ');
  // Satori throws on a text without glyphs, such as a variation selector.
  const visible = spaced.replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '');
  const plain = visible.replace(/ +/g, ' ').trim();
  if (plain === '') return null;
  const inOneTypeface = await measure(plain, FONT_FILES[role], FONTS[role]);
  if (inOneTypeface.missing.length === 0) return inOneTypeface;
  // The fallback comes first, because a word in two typefaces looks worse.
  const families = [...FONT_FILES.fallback, ...FONT_FILES[role]];
  const withFallback = await measure(plain, families, FONTS.all);
  const missing = withFallback.missing.join('');
  if (/[\p{L}\p{N}]/u.test(missing)) return null;
  if (missing === '') return withFallback;
  // Leaves out the symbols that no font has, and measures again.
  const renderable = Array.from(plain).filter((character) => !missing.includes(character));
  return toCardText(renderable.join(''), role);
}

async function measure(text: string, families: readonly string[], fonts: Font[]) {
  const fontFamily = families.join(', ');
  const style = { fontFamily, fontSize: 100, whiteSpace: 'nowrap' };
  const line = createElement('div', { key: 'line', style }, text);
  const element = createElement('div', { style: { display: 'flex' } }, line);
  const { nodes, missing } = await draw(element, { width: 100_000, height: 200 }, fonts);
  return { text, fontFamily, width: (nodes.get('line')?.width ?? 0) / 100, missing };
}

/** Lays out elements, and draws them with text as outlines: a Docker container has no fonts. */
export async function draw(
  element: ReactNode,
  size: { readonly width: number; readonly height: number },
  fonts = FONTS.all,
): Promise<Drawing> {
  const nodes = new Map<string | number, SatoriNode>();
  const missing: string[] = [];
  const svg = await satori(element, {
    ...size,
    fonts,
    onNodeDetected: (node) => nodes.set(node.key ?? nodes.size, node),
    async loadAdditionalAsset(_language, segment) {
      missing.push(segment);
      return [];
    },
  });
  return { svg, nodes, missing };
}
