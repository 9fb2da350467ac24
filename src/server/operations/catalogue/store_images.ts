import { randomUUID } from 'node:crypto';
import { type Insertable, type Selectable, sql } from 'kysely';
import { InvalidInput, refuse } from '#domain/refusal.ts';
import type { ImageKind } from '#domain/studio/artwork.ts';
import { type Transaction, violatedConstraint } from '#server/database/connect.ts';
import { findImage } from '#server/database/images.ts';
import { nextPosition } from '#server/database/ordered_lists.ts';
import type { Images } from '#server/database/tables.ts';
import { DamagedPicture, VARIANT_WIDTHS } from '#server/images/picture_encoder.ts';
import type { Job } from '#server/jobs/jobs.ts';
import { requireRoom } from '../account_limits.ts';
import { change } from '../change.ts';
import type { Context } from '../context.ts';
import { IMAGE_COLUMNS, type ImageRow } from './to_image.ts';

/** The list with a limited length to which a kind of image adds; null: an artist has only one avatar. */
const LISTS = { design: 'designs', portfolio: 'portfolio', avatar: null } as const;

/** The SQL condition of an image whose AVIF files are missing. */
export const WITHOUT_AVIF = sql<boolean>`NOT 'avif' = ANY(formats)`;

/** Few, because other tasks of the minute may wait meanwhile. */
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

/** What all pictures of one upload have in common, and the tags of the pages that show them. */
interface NewPictures {
  readonly artistId: string;
  readonly kind: ImageKind;
  readonly title: string;
  readonly invalidates: readonly string[];
}

/**
 * Encodes pictures as WebP and stores their files and rows, with the artist locked; `save` then saves what
 * refers to each, in the order of the files. When any step fails, the stored files are deleted. A job that
 * commits with the rows adds AVIF files later.
 * @returns the results of `save`
 * @throws Refusal `too_many_designs`, `too_many_portfolio_pictures`; `busy` when too many pictures wait to be
 *   encoded; `unavailable` when the image store fails; `not_signed_in` when the artist was deleted meanwhile
 * @throws InvalidInput when a picture is damaged
 */
export async function storeImages<T>(
  context: Context,
  { artistId, kind, title, invalidates }: NewPictures,
  files: readonly UploadedFile[],
  save: (transaction: Transaction, image: ImageRow) => Promise<T>,
): Promise<T[]> {
  const list = LISTS[kind];
  // Checked before the encoding, which takes seconds, and again in the change.
  if (list) await requireRoom(context.database, list, artistId, files.length);
  const ids: string[] = [];
  try {
    const rows: Insertable<Images>[] = [];
    for (const file of files) {
      const id = randomUUID();
      ids.push(id);
      rows.push(await encodeAndStore(context, { id, artist_id: artistId, kind, title }, file));
    }
    const scope = { lock: 'artist', artistId, invalidates } as const;
    return await change(context, scope, async ({ database, jobs }) => {
      if (list) await requireRoom(database, list, artistId, files.length);
      const results: T[] = [];
      // Images of other kinds have no position of their own.
      const position = kind === 'portfolio' ? nextPosition('portfolio', artistId) : undefined;
      for (const row of rows) {
        const image = await database
          .insertInto('images')
          .values({ ...row, position })
          .returning(IMAGE_COLUMNS)
          .executeTakeFirstOrThrow();
        results.push(await save(database, image));
      }
      // Earlier images go first. The new ones are among those that wait.
      const { waiting } = await database
        .selectFrom('images')
        .select(sql<number>`count(*)::int`.as('waiting'))
        .where('artist_id', '=', artistId)
        .where(WITHOUT_AVIF)
        .executeTakeFirstOrThrow();
      const avifJobs = ids.map((id, index) => toAvifJob(id, waiting - ids.length + index));
      await jobs.enqueue(database, avifJobs);
      return results;
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
  // Not `-rank`, which is -0 for the first image.
  return { kind: 'encode_avif', imageId, priority: 0 - rank };
}

/** Encodes a picture and stores its files. @returns the row to insert */
async function encodeAndStore(
  { encoder, images, log }: Context,
  identity: Pick<Selectable<Images>, 'id' | 'artist_id' | 'kind' | 'title'>,
  { path, inputPath }: UploadedFile,
): Promise<Insertable<Images>> {
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
      // There may never have been a row, for example after a failed upload.
      await context.database
        .insertInto('removed_images')
        .values({ id })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
        .catch(() =>
          // Only the log has the id then. A line without `err` is never left out as a repeat.
          context.log.error(
            { component: 'Images', image_id: id },
            'The files of a deleted image stay public (delete them by hand)',
          ),
        );
    }
}

/**
 * Deletes files that a failed or killed request has left, in random order, so that files that cannot be
 * deleted do not block the others.
 * @throws when the image store or the database fails; the other files wait for the next call
 */
export async function deleteRemovedImages(context: Context): Promise<void> {
  const removed = await context.database
    .selectFrom('removed_images')
    .select('id')
    .orderBy(sql`random()`)
    .limit(sql.lit(MAX_REMOVED_PER_CALL))
    .execute();
  for (const { id } of removed) await deleteFiles(context, id);
}

async function deleteFiles({ database, images }: Context, id: string): Promise<void> {
  // The insertion of the row may have committed although its answer was lost.
  if (!(await findImage(database, id))) await images.remove(id);
  await database.deleteFrom('removed_images').where('id', '=', id).execute();
}
