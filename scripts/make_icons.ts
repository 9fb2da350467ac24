// Makes the icons that cannot be an SVG out of `public/favicon.svg`: `npm run icons` after it has
// changed.
import './node_version.js';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const PUBLIC = join(import.meta.dirname, '../public');
const ICO_SIZES = [16, 32, 48];
const BACKGROUND = '#171412';

const roundedSvg = await readFile(join(PUBLIC, 'favicon.svg'), 'utf8');
/** Without corners, and with padding: Android crops a maskable icon to a circle. */
const squareSvg = roundedSvg
  .replace('viewBox="0 0 32 32"', 'viewBox="-2 -2 36 36"')
  .replace('<rect width="32" height="32" rx="7"', '<rect x="-2" y="-2" width="36" height="36"');
if (!squareSvg.includes(`height="36" fill="${BACKGROUND}"`) || !squareSvg.includes('viewBox="-2'))
  throw new Error('public/favicon.svg no longer begins with its square of 32');

/** A PNG of so many pixels a side. */
function renderPng(svg: string, size: number): Promise<Buffer> {
  const drawing = sharp(Buffer.from(svg), { density: (72 * size) / 32 }).resize(size, size);
  // Its square may end within the last pixel.
  return (svg === squareSvg ? drawing.flatten({ background: BACKGROUND }) : drawing)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
}

/** An ICO that holds PNGs, as every browser since 2010 reads it. */
function toIco(pictures: readonly { size: number; png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(size, at);
    head.writeUInt8(size, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

const files: Readonly<Record<string, Promise<Buffer>>> = {
  'apple-touch-icon.png': renderPng(squareSvg, 180),
  'icon-192.png': renderPng(roundedSvg, 192),
  'icon-512.png': renderPng(roundedSvg, 512),
  'icon-maskable-512.png': renderPng(squareSvg, 512),
  'favicon.ico': Promise.all(
    ICO_SIZES.map(async (size) => ({ size, png: await renderPng(roundedSvg, size) })),
  ).then(toIco),
};
for (const [name, bytes] of Object.entries(files)) await writeFile(join(PUBLIC, name), await bytes);
