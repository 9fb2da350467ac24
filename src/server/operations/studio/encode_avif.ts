import { addAbortListener } from 'node:events';
import { sql } from 'kysely';
import { tag } from '#cache/policy.ts';
import { tryWithImageLock } from '#server/database/advisory_lock.ts';
import { hasRow } from '#server/database/has_row.ts';
import { findImage } from '#server/database/images.ts';
import { deleteImageFiles, toAvifJob, WITHOUT_AVIF } from '../catalogue/store_images.ts';
import { change } from '../change.ts';
import type { Context } from '../context.ts';

/**
 * Stores jobs for all images without AVIF files, such as those whose jobs were given up. An image
 * that has a job gets no second one.
 */
export function enqueueMissingAvif(context: Context): Promise<void> {
  return change(context, { invalidates: [] }, async ({ database, jobs }) => {
    const waiting = await database
      .selectFrom('images')
      .select('id')
      .select(
        // Counts the waiting images of an artist from 0.
        sql<number>`row_number() OVER (PARTITION BY artist_id ORDER BY created_at, id)::int - 1`.as(
          'rank',
        ),
      )
      .where(WITHOUT_AVIF)
      // Two servers that start at the same time insert in the same order, so they cannot deadlock.
      .orderBy('id')
      .execute();
    const avifJobs = waiting.map(({ id, rank }) => toAvifJob(id, rank));
    await jobs.enqueue(database, avifJobs);
  });
}

/**
 * Adds AVIF files to an image, unless it has them. If the image was deleted, deletes its files,
 * because the deletion did not see those that were added later.
 * @param signal interrupts the work; the encoder finishes its current picture in the background
 * @throws when it failed, was interrupted, or another server is encoding the image
 */
export async function encodeAvif(
  context: Context,
  imageId: string,
  signal: AbortSignal,
): Promise<void> {
  const isLocked = await tryWithImageLock(context.database, imageId, async () => {
    signal.throwIfAborted();
    const { promise: interruption, reject } = Promise.withResolvers<never>();
    // Removed at the end: a signal that still has a listener stays in memory.
    using _listener = addAbortListener(signal, () => reject(signal.reason));
    // An interruption ends the race, and so frees the database connection that the lock occupies.
    await Promise.race([addAvifFiles(context, imageId, signal), interruption]);
  });
  if (!isLocked) throw new Error('another server is encoding it');
}

async function addAvifFiles(context: Context, imageId: string, signal: AbortSignal): Promise<void> {
  const image = await findImage(context.database, imageId);
  if (image?.formats.includes('avif')) return;
  try {
    if (image && (await storeAvifFiles(context, image, signal))) return;
  } catch (error) {
    // The files of a deleted image cannot be read. The files of other images must stay: they are
    // in use if another server has added them, or if the update committed but its answer was lost.
    if (await findImage(context.database, imageId)) throw error;
  }
  await deleteImageFiles(context, [imageId]);
}

/** @returns false when the image was deleted meanwhile */
async function storeAvifFiles(
  context: Context,
  { id: imageId, widths, artist_id }: NonNullable<Awaited<ReturnType<typeof findImage>>>,
  signal: AbortSignal,
): Promise<boolean> {
  const { images, encoder } = context;
  const largest = await images.read({ imageId, width: Math.max(...widths), format: 'webp' });
  for (const { width, bytes } of await encoder.encodeAvif(largest, widths)) {
    signal.throwIfAborted();
    await images.put({ imageId, width, format: 'avif' }, bytes);
  }
  const invalidates = [tag.artist(artist_id), tag.designs(artist_id), tag.portfolio(artist_id)];
  return change(context, { invalidates }, ({ database }) => {
    // The preferred format first.
    const updating = database.updateTable('images').set({ formats: ['avif', 'webp'] });
    return hasRow(updating.where('id', '=', imageId).returning('id'));
  });
}
