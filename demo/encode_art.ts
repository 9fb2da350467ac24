// Encodes the drawings of the demo artists once, so that a first start encodes nothing:
// `npm run demo:art` after a drawing has changed.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { VARIANT_WIDTHS } from '#server/images/picture_encoder.ts';
import {
  AVIF_OPTIONS,
  encodePlaceholder,
  WEBP_OPTIONS,
} from '#server/images/sharp_picture_encoder.ts';
import type { DemoImage, DemoImages } from './drawings.ts';

const ART = join(import.meta.dirname, 'art');
const ENCODED = join(import.meta.dirname, 'encoded');

interface ArtEntry {
  file: string;
  title: string;
  name?: string;
  description?: string;
}

async function encodeDrawing(
  artist: string,
  art: ArtEntry,
  kind: keyof typeof VARIANT_WIDTHS,
): Promise<DemoImage> {
  const { file, title, name = '', description = '' } = art;
  const folder = join(artist, kind, basename(file, '.svg'));
  await mkdir(join(ENCODED, folder), { recursive: true });
  const drawing = sharp(await readFile(join(ART, artist, file)), { density: 72 }).flatten();
  const { width, height } = await drawing.metadata();
  const widths = VARIANT_WIDTHS[kind];
  for (const fileWidth of widths) {
    const sized = drawing.clone().resize(fileWidth);
    await sized
      .clone()
      .webp({ ...WEBP_OPTIONS, effort: 6 })
      .toFile(join(ENCODED, folder, `${fileWidth}.webp`));
    await sized
      .clone()
      .avif({ ...AVIF_OPTIONS, effort: 5 })
      .toFile(join(ENCODED, folder, `${fileWidth}.avif`));
  }
  const placeholder = await encodePlaceholder(drawing.clone(), { width, height });
  return { folder, title, name, description, width, height, widths, placeholder };
}

await rm(ENCODED, { recursive: true, force: true });
const drawings: DemoImages = {};
for (const artist of (await readdir(ART)).sort()) {
  const list = await readFile(join(ART, artist, 'art.json'), 'utf8').catch(() => undefined);
  if (list === undefined) continue;
  const { avatar, designs, portfolio } = JSON.parse(list);
  drawings[artist] = {
    avatar: await encodeDrawing(artist, avatar, 'avatar'),
    designs: [],
    portfolio: [],
  };
  for (const art of designs)
    drawings[artist].designs.push(await encodeDrawing(artist, art, 'design'));
  for (const art of portfolio)
    drawings[artist].portfolio.push(await encodeDrawing(artist, art, 'portfolio'));
  console.log(`${artist}: ${designs.length} designs, ${portfolio.length} pieces of work`);
}
await writeFile(join(ENCODED, 'drawings.json'), `${JSON.stringify(drawings, null, 2)}\n`);
