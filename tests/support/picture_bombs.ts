/** Small files that take much memory, or much time, to decode. */
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** A one-color picture of any size, half transparent. */
export function createLargePicture(width: number, height: number): Sharp {
  return sharp({
    create: { width, height, channels: 4, background: { r: 9, g: 80, b: 40, alpha: 0.5 } },
    limitInputPixels: false,
  });
}

/** A picture with 16 bits a color. */
export function createDeepPicture(width: number, height: number): Sharp {
  return createLargePicture(width, height).toColourspace('rgb16');
}

/** An empty PNG of any size, with 16 bits for each of four channels. */
export function createPng(
  width: number,
  height: number,
  otherChunks: readonly Buffer[] = [],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([16, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...otherChunks,
    pngChunk('IDAT', deflateSync(Buffer.alloc(height * (1 + width * 8)), { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A small PNG with compressed texts of 8 MB each. */
export function createPngWithTexts(count: number): Buffer {
  const text = Buffer.concat([Buffer.from('text\0\0'), deflateSync(Buffer.alloc(7_900_000, 'a'))]);
  return createPng(60, 40, Array<Buffer>(count).fill(pngChunk('zTXt', text)));
}

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

/** A JPEG that is not progressive, but has a scan for each of its colors: one gray. */
export function createMultiScanJpeg(width: number, height: number): Buffer {
  const components = [1, 2, 3];
  const frame = [8, height >> 8, height & 255, width >> 8, width & 255, components.length];
  // Each table has one code of one bit, so a block is two bits of zeros.
  const oneCode = [1, ...Array<number>(15).fill(0), 0];
  const scan = Buffer.alloc(Math.ceil((Math.ceil(width / 8) * Math.ceil(height / 8)) / 4));
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, [0, ...Array<number>(64).fill(1)]),
    jpegSegment(0xc0, [...frame, ...components.flatMap((id) => [id, 0x11, 0])]),
    jpegSegment(0xc4, [0x00, ...oneCode]),
    jpegSegment(0xc4, [0x10, ...oneCode]),
    ...components.flatMap((id) => [jpegSegment(0xda, [1, id, 0, 0, 63, 0]), scan]),
    Buffer.from([0xff, 0xd9]),
  ]);
}

function jpegSegment(marker: number, data: readonly number[]): Buffer {
  const length = data.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...data]);
}

/** A PNG, WebP or AVIF whose header, or container, says another size than its pixels have. */
export function claimSize(bytes: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(bytes);
  if (changed.toString('latin1', 1, 4) === 'PNG') {
    changed.writeUInt32BE(width, 16);
    changed.writeUInt32BE(height, 20);
    changed.writeUInt32BE(crc32(changed.subarray(12, 29)), 29);
    return changed;
  }
  if (changed.toString('latin1', 0, 4) === 'RIFF') {
    changed.writeUInt16LE(width, 26);
    changed.writeUInt16LE(height, 28);
    return changed;
  }
  for (let at = changed.indexOf('ispe'); at >= 0; at = changed.indexOf('ispe', at + 4)) {
    changed.writeUInt32BE(width, at + 8);
    changed.writeUInt32BE(height, at + 12);
  }
  return changed;
}
