import type { Selectable } from 'kysely';
import type { UploadedImage } from '#contract/image.ts';
import type { Images } from '#server/database/tables.ts';
import type { ImageStore } from '#server/images/image_store.ts';

export const IMAGE_COLUMNS = [
  'id',
  'title',
  'width',
  'height',
  'widths',
  'formats',
  'placeholder',
] as const;

/**
 * `width` and `height` are the size of the largest file. Each of the `formats`, the best for browsers first,
 * has a file of each of the `widths`. The `placeholder` is a data URI; null if the image is transparent.
 */
export type ImageRow = Pick<Selectable<Images>, (typeof IMAGE_COLUMNS)[number]>;

/** `file_url` is the largest WebP, for every browser; `sources` have all formats and widths. */
export function toImage(images: ImageStore, row: ImageRow): UploadedImage {
  const { id, title, width, height, widths, placeholder } = row;
  const file_url = largestImageUrl(images, id, widths);
  return { id, file_url, title, width, height, sources: toSources(images, row), placeholder };
}

/** The attributes of an HTML `<source>` for each format of an image, best format first. */
export function toSources(
  images: ImageStore,
  { id, widths, formats }: Pick<ImageRow, 'id' | 'widths' | 'formats'>,
): UploadedImage['sources'] {
  return formats.map((format) => ({
    type: `image/${format}`,
    srcset: widths
      .map((width) => `${images.urlOf({ imageId: id, width, format })} ${width}w`)
      .join(', '),
  }));
}

/** The URL of the largest WebP file: every image has WebP files, and every browser shows them. */
export function largestImageUrl(
  images: ImageStore,
  imageId: string,
  widths: readonly number[],
): string {
  return images.urlOf({ imageId, width: Math.max(...widths), format: 'webp' });
}
