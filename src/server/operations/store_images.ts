import { randomUUID } from 'node:crypto';
import type { ImageFormat, ImageKind } from '#domain/artwork.ts';
import { InvalidInput, refuse } from '#domain/refusal.ts';
import { violatedConstraint } from '#server/database/connect.ts';
import { deleteRemovedImage, insertRemovedImage } from '#server/database/removed_images.ts';
import { DamagedPicture, VARIANT_WIDTHS } from '#server/images/picture_encoder.ts';
import type { Context } from './context.ts';

/** An uploaded file on disk, deleted after the request. A class for `instanceof` in schemas. */
export class UploadedFile {
  readonly path: string;
  readonly byteCount: number;

  constructor(path: string, byteCount: number) {
    this.path = path;
    this.byteCount = byteCount;
  }
}

/** `inputPath` names the file's field in error responses, such as `['body', 'file', 2]`. */
export interface ImageUpload {
  readonly file: UploadedFile;
  readonly inputPath: readonly (string | number)[];
}

/**
 * Checks the first bytes of each picture file. An InvalidInput is thrown only after all files are
 * checked, because a Refusal of any file takes precedence.
 * @throws Refusal `not_a_picture`, `too_many_pixels`
 * @throws InvalidInput for the first file that is empty or damaged
 */
export async function validateImages(
  { encoder }: Context,
  uploads: readonly ImageUpload[],
): Promise<void> {
  let firstInvalid: InvalidInput | undefined;
  for (const { file, inputPath } of uploads)
    try {
      if (file.byteCount === 0) firstInvalid ??= new InvalidInput(inputPath, 'This file is empty');
      else await encoder.validate(file.path);
    } catch (error) {
      if (!(error instanceof DamagedPicture)) throw error;
      firstInvalid ??= damagedPictureInput(inputPath);
    }
  if (firstInvalid) throw firstInvalid;
}

/** The row to insert for an image whose files are stored. */
export interface StoredImage {
  readonly id: string;
  readonly artist_id: string;
  readonly kind: ImageKind;
  readonly width: number;
  readonly height: number;
  /** Each format has a file of each width. */
  readonly widths: number[];
  readonly formats: ImageFormat[];
  /** A tiny preview as a data URI; null if the picture is transparent. */
  readonly placeholder: string | null;
}

/**
 * Encodes pictures as WebP and stores their files; `save` then inserts their rows. When any step
 * fails, the stored files are deleted. AVIF files are added later, in the background.
 * @param save receives the images in the order of the uploads
 * @throws Refusal `busy` when too many pictures wait to be encoded; `unavailable` when the image
 *   store fails; `not_signed_in` when the artist was deleted meanwhile
 * @throws InvalidInput when a picture is damaged
 */
export async function storeImages<T>(
  context: Context,
  artistId: string,
  kind: ImageKind,
  uploads: readonly ImageUpload[],
  save: (images: readonly StoredImage[]) => Promise<T>,
): Promise<T> {
  const ids: string[] = [];
  try {
    const stored: StoredImage[] = [];
    for (const upload of uploads) {
      const id = randomUUID();
      ids.push(id);
      stored.push(await encodeAndStore(context, { id, artist_id: artistId, kind }, upload));
    }
    const saved = await save(stored);
    for (const id of ids) context.avifConverter.enqueue(id);
    return saved;
  } catch (error) {
    await deleteImageFiles(context, ids);
    if (violatedConstraint(error) === 'images_artist_id_fkey') throw refuse('not_signed_in');
    throw error;
  }
}

/** Like `storeImages`, for a single file in the field `file`. */
export function storeImage<T>(
  context: Context,
  artistId: string,
  kind: ImageKind,
  file: UploadedFile,
  save: (image: StoredImage) => Promise<T>,
): Promise<T> {
  const uploads = [{ file, inputPath: ['body', 'file'] }];
  return storeImages(context, artistId, kind, uploads, async ([image]) => {
    if (!image) throw new Error('The picture was not stored');
    return save(image);
  });
}

async function encodeAndStore(
  { encoder, images, log }: Context,
  identity: Pick<StoredImage, 'id' | 'artist_id' | 'kind'>,
  { file, inputPath }: ImageUpload,
): Promise<StoredImage> {
  const { width, height, placeholder, variants } = await encoder
    .encode(file.path, VARIANT_WIDTHS[identity.kind])
    .catch((error: unknown) => {
      throw error instanceof DamagedPicture ? damagedPictureInput(inputPath) : error;
    });
  for (const variant of variants)
    await images
      .put({ imageId: identity.id, width: variant.width, format: 'webp' }, variant.bytes)
      .catch((error: unknown) => {
        log(`Images: storing a file failed (the upload is refused): ${error}`);
        throw refuse('unavailable');
      });
  const widths = variants.map((variant) => variant.width);
  return { ...identity, width, height, widths, formats: ['webp'], placeholder };
}

function damagedPictureInput(inputPath: ImageUpload['inputPath']): InvalidInput {
  return new InvalidInput(inputPath, 'This picture is damaged and cannot be read');
}

/**
 * Deletes the files of images whose rows were deleted or never inserted. Never throws: a failure is
 * logged, and the next start of a server deletes the files listed in the table `removed_images`.
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
      log(`Images: deleting the files of ${id} failed (the next start retries): ${error}`);
      // If this insert into `removed_images` fails too, only the log has the id.
      await insertRemovedImage(database, id).catch(() => {});
    }
}
