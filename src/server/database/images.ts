/**
 * The rows of pictures, of all kinds. The table `removed_images` lists the ids of those whose files must still
 * be deleted. The transaction that deletes a row adds the id, so that a crash leaves no files forever.
 */
import { sql } from 'kysely';
import type { ImageKind } from '#domain/studio/artwork.ts';
import type { Database, Transaction } from './connect.ts';

/** The columns of a design's image, beside those of the design. */
export const DESIGN_IMAGE_COLUMNS = [
  'images.id as image_id',
  'images.title',
  'images.width',
  'images.height',
  'images.widths',
  'images.formats',
  'images.placeholder',
] as const;

/**
 * Lists the public images of these artists: portfolios, avatars, and designs with the status
 * `available`. Images of one artist and kind are in the order that the artist chose.
 * @param limit the maximum number of images for each artist and kind
 * @returns `design_id` is null for images of other kinds
 */
export async function listPublicImages(
  database: Database,
  artistIds: readonly string[],
  limit: number,
) {
  if (artistIds.length === 0) return [];
  // `rank` counts from 1. The position of a design's image is stored in the row of the design.
  const ranked = database
    .selectFrom('images')
    .leftJoin('designs', 'designs.image_id', 'images.id')
    .select([
      'images.id',
      'images.artist_id',
      'images.kind',
      'images.widths',
      'designs.id as design_id',
      sql<number>`row_number() OVER (PARTITION BY images.artist_id, images.kind
        ORDER BY COALESCE(designs.position, images.position),
          COALESCE(designs.created_at, images.created_at), COALESCE(designs.id, images.id))`.as(
        'rank',
      ),
    ])
    .where(sql<boolean>`images.artist_id = any(${[...artistIds]}::uuid[])`)
    .where(
      sql<boolean>`(images.kind <> 'design' OR (designs.status = 'available' AND designs.deleted_at IS NULL))`,
    );
  return database
    .selectFrom(ranked.as('ranked'))
    .select(['id', 'artist_id', 'kind', 'widths', 'design_id'])
    .where('rank', '<=', limit)
    .orderBy('rank')
    .execute();
}

/** Finds the row of an image of any kind; undefined when the image was deleted. */
export function findImage(database: Database, id: string) {
  return database
    .selectFrom('images')
    .select(['id', 'artist_id', 'widths', 'formats'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Deletes an image's row, and lists it for removal; false if the artist has no such image. */
export async function deleteImage(
  transaction: Transaction,
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
  `.execute(transaction);
  return rows.length > 0;
}

/** Lists all of an artist's images for removal; the caller deletes their rows. Returns their ids. */
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
