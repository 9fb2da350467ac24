import type { Design } from '#contract/design.ts';
import type { UploadedImage } from '#contract/image.ts';
import { editionsLeft } from '#domain/editions.ts';
import type { DesignRow } from '#server/database/designs.ts';
import type { ImageRow } from '#server/database/images.ts';
import type { ImageStore } from '#server/images/image_store.ts';

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

/** `id` is the design's, `image_id` the image's. */
export function toDesign(images: ImageStore, row: DesignRow): Design {
  const { id, name, description, status, image_id, price, duration_minutes, editions } = row;
  return {
    id,
    name,
    description,
    status,
    image: toImage(images, { ...row, id: image_id }),
    price,
    duration: duration_minutes,
    service_id: row.service_id,
    width_mm: row.width_mm,
    height_mm: row.height_mm,
    placements: [...row.placements],
    color: row.color,
    editions,
    left: editionsLeft(editions, row.edition_use?.used ?? 0),
  };
}
