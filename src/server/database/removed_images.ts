/**
 * The table `removed_images` lists the ids of images whose files must still be deleted. The
 * transaction that deletes an image's row adds the id, so that a crash leaves no files forever.
 */
import { sql } from 'kysely';
import type { ImageKind } from '#domain/artwork.ts';
import type { Database } from './connect.ts';

/** Deletes an image's row, and adds its id to the list; false if the artist has no such image. */
export async function deleteImage(
  database: Database,
  artistId: string,
  kind: ImageKind,
  id: string,
): Promise<boolean> {
  const { rows } = await sql`
    WITH deleted AS (
      DELETE FROM images WHERE id = ${id} AND artist_id = ${artistId} AND kind = ${kind}
      RETURNING id
    ), added AS (
      INSERT INTO removed_images (id) SELECT id FROM deleted ON CONFLICT DO NOTHING
    )
    SELECT id FROM deleted
  `.execute(database);
  return rows.length > 0;
}

/** Adds all of an artist's images to the list; the caller deletes their rows. Returns their ids. */
export async function insertRemovedImagesOfArtist(database: Database, artistId: string) {
  const { rows } = await sql<{ id: string }>`
    WITH artist_images AS (
      SELECT id FROM images WHERE artist_id = ${artistId}
    ), added AS (
      INSERT INTO removed_images (id) SELECT id FROM artist_images ON CONFLICT DO NOTHING
    )
    SELECT id FROM artist_images
  `.execute(database);
  return rows.map(({ id }) => id);
}

/** Adds to the list an image that has files but no row, for example after a failed upload. */
export async function insertRemovedImage(database: Database, id: string): Promise<void> {
  await database
    .insertInto('removed_images')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Removes an image from the list, after its files were deleted. */
export async function deleteRemovedImage(database: Database, id: string): Promise<void> {
  await database.deleteFrom('removed_images').where('id', '=', id).execute();
}

/**
 * Returns up to `limit` ids of images whose files must be deleted, in random order, so that files
 * that cannot be deleted do not block the others.
 */
export async function listRemovedImages(database: Database, limit: number): Promise<string[]> {
  const rows = await database
    .selectFrom('removed_images')
    .select('id')
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
