// `npm run icons`: draws the icons that must be PNG or ICO from `public/favicon.svg`. Run it when that has changed.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const PUBLIC = join(import.meta.dirname, '../public');
const ICO_SIZES = [16, 32, 48];
const BACKGROUND = '#171412';

const roundedSvg = await readFile(join(PUBLIC, 'favicon.svg'), 'utf8');
/** The square without round corners, and with a margin: Android crops a maskable icon to a circle. */
const squareSvg = roundedSvg
  .replace('viewBox="0 0 32 32"', 'viewBox="-2 -2 36 36"')
  .replace('<rect width="32" height="32" rx="7"', '<rect x="-2" y="-2" width="36" height="36"');
if (!squareSvg.includes(`height="36" fill="${BACKGROUND}"`) || !squareSvg.includes('viewBox="-2'))
  throw new Error('public/favicon.svg does not begin with its square of 32');

/** @param size the width and the height in pixels */
function renderPng(svg: string, size: number): Promise<Buffer> {
  // At 72 dpi, the drawing has 32 pixels a side.
  const drawing = sharp(Buffer.from(svg), { density: (72 * size) / 32 }).resize(size, size);
  // The square may not fill the pixels at its edges.
  return (svg === squareSvg ? drawing.flatten({ background: BACKGROUND }) : drawing)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
}

/** An ICO file that contains PNGs: a head of 6 bytes, an entry of 16 bytes for each picture, and the pictures. */
function toIco(pictures: readonly { size: number; png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  // 1: the file contains icons.
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(size, at);
    head.writeUInt8(size, at + 1);
    // One colour plane, and 32 bits for each pixel.
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
