import type { ImageKind } from '#domain/studio/artwork.ts';

/** The widths in pixels of a picture's stored variants (copies); none is enlarged. */
export const VARIANT_WIDTHS: Readonly<Record<ImageKind, readonly number[]>> = {
  avatar: [160, 400],
  design: [320, 640, 1200],
  portfolio: [320, 640, 1200],
};

export interface ImageVariant {
  readonly width: number;
  readonly bytes: Uint8Array;
}

/** An uploaded picture: rotated upright, in sRGB, without metadata. */
export interface EncodedPicture {
  /** The size of the largest variant, in pixels. */
  readonly width: number;
  readonly height: number;
  /** As WebP, smallest first. */
  readonly variants: readonly ImageVariant[];
  /** A tiny preview as a data URI; null when the picture has transparent pixels. */
  readonly placeholder: string | null;
}

/** The file begins like a picture, but cannot be decoded. */
export class DamagedPicture extends Error {}

export interface PictureEncoder {
  /**
   * Checks the format, the size in pixels and the texts by the file's header; ignores its name.
   * @param artistId pictures wait in a queue, in which artists take turns
   * @throws DamagedPicture when the header is incomplete
   * @throws Refusal `not_a_picture`, `too_many_pixels`, `too_many_whole_pixels`,
   *   `too_many_expensive_pixels`, `picture_too_long`, `too_much_picture_text`; `busy` when too many
   *   pictures are waiting
   */
  validate(path: string, artistId: string): Promise<void>;
  /**
   * @param widths of the variants; the picture's own width replaces all that are larger
   * @param artistId as for `validate`
   * @throws DamagedPicture
   * @throws Refusal `busy` when too many pictures are waiting
   */
  encode(path: string, widths: readonly number[], artistId: string): Promise<EncodedPicture>;
  /** Encodes AVIF variants from the largest WebP variant, while no upload waits. */
  encodeAvif(webp: Uint8Array, widths: readonly number[]): Promise<ImageVariant[]>;
  /** Cuts a square of `size` pixels from the middle of a small variant, on white where it is transparent. */
  encodeSquareJpeg(webp: Uint8Array, size: number): Promise<Uint8Array>;
}
