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
  /** The address that browsers fetch the file from. */
  urlOf(file: ImageFile): string;
}
