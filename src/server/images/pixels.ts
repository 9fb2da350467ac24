/** Decoded pictures: raw pixels in sRGB, without metadata. */
import sharp, { type Sharp } from 'sharp';

export interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
}

/** Decodes a picture into memory. */
export async function toPixels(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/** Makes decoded pixels the input of sharp. */
export function toSharp({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } });
}

/** Whether any pixel is transparent, at least in part. */
export async function hasTransparency(picture: Pixels): Promise<boolean> {
  // 1 or 3 channels (gray or RGB) include no alpha channel.
  return picture.channels % 2 === 0 && !(await toSharp(picture).stats()).isOpaque;
}
