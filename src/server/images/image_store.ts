import type { ImageFormat } from '#domain/artwork.ts';

/** One stored file of an image. */
export interface ImageFile {
  readonly imageId: string;
  readonly width: number;
  readonly format: ImageFormat;
}

/** Where the encoded variants of images are kept. A file never changes once it is stored. */
export interface ImageStore {
  /** Stores a file; storing it again is harmless. */
  put(file: ImageFile, bytes: Uint8Array): Promise<void>;
  /** The bytes of a file that is stored. */
  read(file: ImageFile): Promise<Uint8Array>;
  /** Removes all files of an image; it need not have any. */
  remove(imageId: string): Promise<void>;
  /** The address that browsers fetch the file from. */
  urlOf(file: ImageFile): string;
}

/** Where a file lies, below a folder, a bucket or an address. */
export function imagePath({ imageId, width, format }: ImageFile): string {
  return `${imageId}/${width}.${format}`;
}
