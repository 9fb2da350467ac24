import type { Insertable, Updateable } from 'kysely';
import type { DesignStatus } from '#domain/artwork.ts';
import type { Database } from './connect.ts';
import { nextPosition } from './ordered_lists.ts';
import { loadPage, type Pagination, TOTAL_COUNT } from './pagination.ts';
import { deleteImage } from './removed_images.ts';
import type { Designs } from './tables.ts';

const COLUMNS = [
  'designs.id',
  'designs.name',
  'designs.description',
  'designs.status',
  'images.id as image_id',
  'images.title',
  'images.width',
  'images.height',
  'images.widths',
  'images.formats',
  'images.placeholder',
] as const;

function selectDesigns(database: Database, artistId: string) {
  return database
    .selectFrom('designs')
    .innerJoin('images', 'images.id', 'designs.image_id')
    .where('designs.artist_id', '=', artistId);
}

/** An artist's designs, in the artist's order. */
export function listDesigns(
  database: Database,
  artistId: string,
  { onlyAvailable }: { onlyAvailable: boolean },
  page: Pagination,
) {
  const all = selectDesigns(database, artistId).$if(onlyAvailable, (query) =>
    query.where('designs.status', '=', 'available'),
  );
  return loadPage(
    all
      .select(COLUMNS)
      .orderBy('designs.position')
      .orderBy('designs.created_at')
      .orderBy('designs.id'),
    all.select(TOTAL_COUNT),
    page,
  );
}

/** A design of this artist, whatever its status. */
export function findArtistDesign(database: Database, artistId: string, id: string) {
  return selectDesigns(database, artistId)
    .select(COLUMNS)
    .where('designs.id', '=', id)
    .executeTakeFirst();
}

/** A design in one of these states of an artist with a public page, with whose it is. */
export function findPublicDesign(
  database: Database,
  id: string,
  statuses: readonly DesignStatus[],
) {
  return database
    .selectFrom('designs')
    .innerJoin('images', 'images.id', 'designs.image_id')
    .innerJoin('artists', 'artists.id', 'designs.artist_id')
    .select(COLUMNS)
    .select(['designs.artist_id', 'artists.username'])
    .where('designs.id', '=', id)
    .where('designs.status', 'in', statuses)
    .where('artists.is_active', '=', true)
    .where('artists.is_superuser', '=', false)
    .executeTakeFirst();
}

/** Adds a design at the end of the artist's list; answers its id. */
export async function insertDesign(
  database: Database,
  design: Insertable<Designs>,
): Promise<string> {
  const { id } = await database
    .insertInto('designs')
    .values({ ...design, position: nextPosition('designs', design.artist_id) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** False when this artist has none such. The title of its picture follows. */
export async function updateDesign(
  database: Database,
  artistId: string,
  id: string,
  changes: Updateable<Designs>,
): Promise<boolean> {
  const changed = await database
    .updateTable('designs')
    // With the owner set too, no change at all is still a sentence.
    .set({ ...changes, artist_id: artistId })
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .returning(['name', 'description', 'image_id'])
    .executeTakeFirst();
  if (!changed) return false;
  await database
    .updateTable('images')
    .set({ title: toImageTitle(changed) })
    .where('id', '=', changed.image_id)
    .where('artist_id', '=', artistId)
    .execute();
  return true;
}

/** The alternative text of a design's picture. */
export function toImageTitle({ name, description }: { name: string; description: string }): string {
  return description || name;
}

/** Deletes a design and its picture's row; answers the picture's id, undefined when there is none. */
export function deleteDesign(
  database: Database,
  artistId: string,
  id: string,
): Promise<string | undefined> {
  return database.transaction().execute(async (transaction) => {
    const deleted = await transaction
      .deleteFrom('designs')
      .where('id', '=', id)
      .where('artist_id', '=', artistId)
      .returning('image_id')
      .executeTakeFirst();
    if (!deleted) return undefined;
    await deleteImage(transaction, artistId, 'design', deleted.image_id);
    return deleted.image_id;
  });
}
