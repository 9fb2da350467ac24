import type { Design } from '#contract/design.ts';
import type { UploadedImage } from '#contract/image.ts';
import type { DesignStatus, ImageFormat } from '#domain/artwork.ts';
import { deleteRemovedImage, insertRemovedImage } from '#server/database/removed_images.ts';
import type { ImageStore } from '#server/images/image_store.ts';
import type { Context } from './context.ts';

interface ImageRow {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly widths: readonly number[];
  readonly formats: readonly ImageFormat[];
  readonly placeholder: string | null;
}

/** An image as clients see it: the largest WebP, which every browser shows, and the smaller ones. */
export function toImage(
  images: ImageStore,
  row: ImageRow & { readonly id: string },
): UploadedImage {
  const { id, title, width, height, widths, placeholder } = row;
  return {
    id,
    file_url: largestImageUrl(images, id, widths),
    title,
    width,
    height,
    sources: toSources(images, row),
    placeholder,
  };
}

/** All that an image is stored as: a `<source>` for each format, the best first. */
export function toSources(
  images: ImageStore,
  { id, widths, formats }: Pick<ImageRow, 'widths' | 'formats'> & { readonly id: string },
): UploadedImage['sources'] {
  return formats.map((format) => ({
    type: `image/${format}`,
    srcset: widths
      .map((wide) => `${images.urlOf({ imageId: id, width: wide, format })} ${wide}w`)
      .join(', '),
  }));
}

/** Where the largest WebP of an image is. */
export function largestImageUrl(
  images: ImageStore,
  imageId: string,
  widths: readonly number[],
): string {
  return images.urlOf({ imageId, width: Math.max(...widths), format: 'webp' });
}

interface DesignRow extends ImageRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly status: DesignStatus;
  readonly image_id: string;
}

export function toDesign(images: ImageStore, row: DesignRow): Design {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status,
    image: toImage(images, { ...row, id: row.image_id }),
  };
}

/**
 * Removes the files of images whose rows are gone, or never came to be. What the store fails to
 * remove is logged, and tried again at the next start.
 */
export async function deleteImageFiles(
  { database, images, log }: Pick<Context, 'database' | 'images' | 'log'>,
  imageIds: readonly string[],
): Promise<void> {
  for (const id of imageIds)
    try {
      await images.remove(id);
      await deleteRemovedImage(database, id);
    } catch (error) {
      log(`The files of image ${id} were left behind: ${error}`);
      // Without its database nobody learns of this but from the log.
      await insertRemovedImage(database, id).catch(() => {});
    }
}
