import type { ImageFormat } from '#domain/studio/artwork.ts';

/** One file of an image, in one width and one format. */
export interface ImageFile {
  readonly imageId: string;
  readonly width: number;
  readonly format: ImageFormat;
}

/** Stores the files of images. A stored file never changes. */
export interface ImageStore {
  /** Stores a file. A repeated call for this file must pass the same bytes. */
  put(file: ImageFile, bytes: Uint8Array): Promise<void>;
  read(file: ImageFile): Promise<Uint8Array>;
  /** Deletes all files of an image, if there are any. */
  remove(imageId: string): Promise<void>;
  /** The URL for browsers. */
  urlOf(file: ImageFile): string;
}

/** Describes the content of a store, for a restore. */
export interface ImageInventory {
  isEmpty(): Promise<boolean>;
  has(file: ImageFile): Promise<boolean>;
}

/** The path of a file, relative to the folder, bucket or URL of its store. */
export function imagePath({ imageId, width, format }: ImageFile): string {
  return `${imageId}/${width}.${format}`;
}

const PATH = /^([0-9a-f-]{36})\/([1-9]\d{0,4})\.(webp|avif)$/;

/** The file at a path that `imagePath` has made; undefined for another path. */
export function parseImagePath(path: string): ImageFile | undefined {
  const [, imageId, width, extension] = PATH.exec(path) ?? [];
  const format = (['webp', 'avif'] as const).find((known) => known === extension);
  return imageId === undefined || format === undefined
    ? undefined
    : { imageId, width: Number(width), format };
}

/** Whether reading a file failed because it does not exist, in a folder or in a bucket. */
export function isMissingFile(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'NoSuchKey' || ('code' in error && error.code === 'ENOENT');
}
