import type { ImageKind } from '#domain/artwork.ts';
import type { Database } from './connect.ts';

/**
 * Deletes the row of an artist's picture; its files are due for removal from then on.
 * @returns false when this artist has no such picture
 */
export async function deleteImage(
  database: Database,
  artistId: string,
  kind: ImageKind,
  id: string,
): Promise<boolean> {
  const removed = await database
    .with('gone', (cte) =>
      cte
        .deleteFrom('images')
        .where('id', '=', id)
        .where('artist_id', '=', artistId)
        .where('kind', '=', kind)
        .returning('id'),
    )
    .with('due', (cte) =>
      cte
        .insertInto('removed_images')
        .columns(['id'])
        .expression((query) => query.selectFrom('gone').select('id'))
        .onConflict((conflict) => conflict.doNothing()),
    )
    .selectFrom('gone')
    .select('id')
    .executeTakeFirst();
  return removed !== undefined;
}

/** The files of all pictures of an artist who goes are due for removal; answers their ids. */
export async function insertRemovedImagesOfArtist(
  database: Database,
  artistId: string,
): Promise<string[]> {
  const theirs = database.selectFrom('images').select('id').where('artist_id', '=', artistId);
  const rows = await database
    .with('due', (cte) =>
      cte
        .insertInto('removed_images')
        .columns(['id'])
        .expression(theirs)
        .onConflict((conflict) => conflict.doNothing()),
    )
    .selectFrom(theirs.as('theirs'))
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The files of a picture that has no row are due for removal; they may be so already. */
export async function insertRemovedImage(database: Database, id: string): Promise<void> {
  await database
    .insertInto('removed_images')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The files of a picture are gone. */
export async function deleteRemovedImage(database: Database, id: string): Promise<void> {
  await database.deleteFrom('removed_images').where('id', '=', id).execute();
}

/** Some of the pictures whose files are due for removal. */
export async function listRemovedImages(database: Database, limit: number): Promise<string[]> {
  const rows = await database.selectFrom('removed_images').select('id').limit(limit).execute();
  return rows.map(({ id }) => id);
}
