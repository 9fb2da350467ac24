import type { ImageKind } from '#domain/artwork.ts';

/** The widths that a picture is stored in, unless it is smaller. */
export const VARIANT_WIDTHS: Readonly<Record<ImageKind, readonly number[]>> = {
  avatar: [160, 400],
  design: [320, 640, 1200],
  portfolio: [320, 640, 1200],
};

/** A picture in one width. */
export interface ImageVariant {
  readonly width: number;
  readonly bytes: Uint8Array;
}

/** A picture that was taken in: upright, in sRGB, without metadata. */
export interface EncodedPicture {
  /** Of the largest variant. */
  readonly width: number;
  readonly height: number;
  /** As WebP, smallest first. */
  readonly variants: readonly ImageVariant[];
  /** A few pixels as a data URI; null when one can see through the picture. */
  readonly placeholder: string | null;
}

/** The file is a picture by its first bytes, and cannot be read to its end. */
export class DamagedPicture extends Error {}

/** Takes pictures in and makes the variants that are stored. */
export interface PictureEncoder {
  /**
   * Judges a file by its header, whatever its name says.
   * @throws Refusal `not_a_picture`, `picture_too_large`
   */
  validate(path: string): Promise<void>;
  /**
   * @param widths the most there will be; a picture is never made larger
   * @throws DamagedPicture
   * @throws Refusal `busy` when too many are waiting
   */
  encode(path: string, widths: readonly number[]): Promise<EncodedPicture>;
  /** Makes a picture's AVIF variants of its largest WebP; one picture at a time. */
  encodeAvif(webp: Uint8Array, widths: readonly number[]): Promise<ImageVariant[]>;
}
