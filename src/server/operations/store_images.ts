import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { ImageKind } from '#domain/artwork.ts';
import { InvalidInput, refuse } from '#domain/refusal.ts';
import { type Database, violatedConstraint } from '#server/database/connect.ts';
import { countImagesWithoutAvif, findImage } from '#server/database/images.ts';
import {
  deleteRemovedImage,
  insertRemovedImage,
  listRemovedImages,
} from '#server/database/removed_images.ts';
import type { Images } from '#server/database/tables.ts';
import { DamagedPicture, VARIANT_WIDTHS } from '#server/images/picture_encoder.ts';
import type { Job } from '#server/jobs/jobs.ts';
import type { Context } from './context.ts';

/** Bounds the time that other minutely tasks may have to wait. */
const MAX_REMOVED_PER_CALL = 100;

/** An uploaded file on disk, deleted after the request. A class for `instanceof` in schemas. */
export class UploadedFile {
  readonly path: string;
  readonly byteCount: number;
  /** Names the file's field in error responses, such as `['body', 'file', 2]`. */
  readonly inputPath: readonly (string | number)[];

  constructor(path: string, byteCount: number, inputPath: readonly (string | number)[]) {
    this.path = path;
    this.byteCount = byteCount;
    this.inputPath = inputPath;
  }
}

/**
 * Checks the first bytes of each picture file. An InvalidInput is thrown only after all files are
 * checked, because a Refusal of any file takes precedence.
 * @throws the refusals of `PictureEncoder.validate`
 * @throws InvalidInput for the first file that is empty or damaged
 */
export async function validateImages(
  { encoder }: Context,
  artistId: string,
  files: readonly UploadedFile[],
): Promise<void> {
  let firstInvalid: InvalidInput | undefined;
  for (const { path, byteCount, inputPath } of files)
    try {
      if (byteCount === 0) firstInvalid ??= new InvalidInput(inputPath, 'This file is empty');
      else await encoder.validate(path, artistId);
    } catch (error) {
      if (!(error instanceof DamagedPicture)) throw error;
      firstInvalid ??= damagedPictureInput(inputPath);
    }
  if (firstInvalid) throw firstInvalid;
}

/** The row to insert for an image whose files are stored. */
export type StoredImage = Omit<Insertable<Images>, 'title'> & { readonly id: string };

/**
 * Encodes pictures as WebP and stores their files; `save` then inserts their rows. When any step
 * fails, the stored files are deleted. A job that commits with the rows adds AVIF files later.
 * @param save receives the images in the order of the files
 * @throws Refusal `busy` when too many pictures wait to be encoded; `unavailable` when the image
 *   store fails; `not_signed_in` when the artist was deleted meanwhile
 * @throws InvalidInput when a picture is damaged
 */
export async function storeImages<T>(
  context: Context,
  artistId: string,
  kind: ImageKind,
  files: readonly UploadedFile[],
  save: (transaction: Database, images: readonly StoredImage[]) => Promise<T>,
): Promise<T> {
  const ids: string[] = [];
  try {
    const stored: StoredImage[] = [];
    for (const file of files) {
      const id = randomUUID();
      ids.push(id);
      stored.push(await encodeAndStore(context, { id, artist_id: artistId, kind }, file));
    }
    return await context.database.transaction().execute(async (transaction) => {
      const saved = await save(transaction, stored);
      const waitingCount = (await countImagesWithoutAvif(transaction, artistId)) - ids.length;
      const jobs = ids.map((id, index) => toAvifJob(id, waitingCount + index));
      await context.jobs.enqueue(transaction, jobs);
      return saved;
    });
  } catch (error) {
    await deleteImageFiles(context, ids);
    if (violatedConstraint(error) === 'images_artist_id_fkey') throw refuse('not_signed_in');
    throw error;
  }
}

/**
 * The job that adds AVIF files to an image. Artists take turns: the tenth image that one artist has
 * waiting comes after the first image of every other artist.
 * @param rank how many images of the same artist wait before this one
 */
export function toAvifJob(imageId: string, rank: number): Job {
  return { kind: 'encode_avif', imageId, priority: 0 - rank };
}

/** Like `storeImages`, for a single file. */
export function storeImage<T>(
  context: Context,
  artistId: string,
  kind: ImageKind,
  file: UploadedFile,
  save: (transaction: Database, image: StoredImage) => Promise<T>,
): Promise<T> {
  return storeImages(context, artistId, kind, [file], async (transaction, [image]) => {
    if (!image) throw new Error('The picture was not stored');
    return save(transaction, image);
  });
}

async function encodeAndStore(
  { encoder, images, log }: Context,
  identity: Pick<StoredImage, 'id' | 'artist_id' | 'kind'>,
  { path, inputPath }: UploadedFile,
): Promise<StoredImage> {
  const { width, height, placeholder, variants } = await encoder
    .encode(path, VARIANT_WIDTHS[identity.kind], identity.artist_id)
    .catch((error: unknown) => {
      throw error instanceof DamagedPicture ? damagedPictureInput(inputPath) : error;
    });
  for (const variant of variants)
    await images
      .put({ imageId: identity.id, width: variant.width, format: 'webp' }, variant.bytes)
      .catch((error: unknown) => {
        log.error(
          { err: error, component: 'Images' },
          'Storing a file failed (the upload is refused)',
        );
        throw refuse('unavailable');
      });
  const widths = variants.map((variant) => variant.width);
  return { ...identity, width, height, widths, formats: ['webp'], placeholder };
}

function damagedPictureInput(inputPath: UploadedFile['inputPath']): InvalidInput {
  return new InvalidInput(inputPath, 'This picture is damaged and cannot be read');
}

/**
 * Deletes the files of images whose rows were deleted or never inserted. Never throws: a failure is
 * logged, and the minutely tasks delete the files listed in the table `removed_images`.
 */
export async function deleteImageFiles(
  context: Context,
  imageIds: readonly string[],
): Promise<void> {
  for (const id of imageIds)
    try {
      await deleteFiles(context, id);
    } catch (error) {
      context.log.error(
        { err: error, component: 'Images', image_id: id },
        'Deleting the files of an image failed (still public, retried each minute)',
      );
      await insertRemovedImage(context.database, id).catch(() =>
        // Only the log has the id then. A line without `err` is never left out as a repeat.
        context.log.error(
          { component: 'Images', image_id: id },
          'The files of a deleted image stay public (delete them by hand)',
        ),
      );
    }
}

/**
 * Deletes files that a failed or killed request has left.
 * @throws when the image store or the database fails; the other files wait for the next call
 */
export async function deleteRemovedImages(context: Context): Promise<void> {
  for (const id of await listRemovedImages(context.database, MAX_REMOVED_PER_CALL))
    await deleteFiles(context, id);
}

async function deleteFiles({ database, images }: Context, id: string): Promise<void> {
  // The insertion of the row may have committed although its answer was lost.
  if (!(await findImage(database, id))) await images.remove(id);
  await deleteRemovedImage(database, id);
}
