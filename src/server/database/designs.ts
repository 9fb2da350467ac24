import { type Expression, type Insertable, sql, type Updateable } from 'kysely';
import type { DesignStatus } from '#domain/artwork.ts';
import type { Database } from './connect.ts';
import { EDITION_USE, USED_EDITIONS } from './editions.ts';
import { DESIGN_IMAGE_COLUMNS } from './images.ts';
import { nextPosition } from './ordered_lists.ts';
import { loadPage, type Pagination } from './pagination.ts';
import { deleteImage } from './removed_images.ts';
import type { Designs } from './tables.ts';

const COLUMNS = [
  'designs.id',
  'designs.name',
  'designs.description',
  'designs.status',
  'designs.price',
  'designs.duration_minutes',
  'designs.service_id',
  'designs.width_mm',
  'designs.height_mm',
  'designs.placements',
  'designs.color',
  'designs.editions',
  EDITION_USE,
  ...DESIGN_IMAGE_COLUMNS,
] as const;

/**
 * Which designs a list has. `listed`: those that clients can book, and those with a limited number of
 * editions that are taken.
 */
export type DesignListKind = 'all' | 'listed' | 'bookable';

function selectDesigns(database: Database, artistId: string | Expression<string>) {
  return database
    .selectFrom('designs')
    .innerJoin('images', 'images.id', 'designs.image_id')
    .select(COLUMNS)
    .where('designs.artist_id', '=', artistId)
    .where('designs.deleted_at', 'is', null);
}

/** Selects an artist's designs, in the order that the artist chose. */
export function selectOrderedDesigns(
  database: Database,
  artistId: string | Expression<string>,
  kind: DesignListKind,
) {
  return selectDesigns(database, artistId)
    .$if(kind === 'listed', (query) =>
      query
        .where(
          sql<boolean>`(designs.status = 'available'
            OR (designs.status = 'claimed' AND designs.editions IS NOT NULL))`,
        )
        // So that a limit leaves out claimed designs first.
        .orderBy(sql`designs.status = 'claimed'`),
    )
    .$if(kind === 'bookable', (query) =>
      query
        .where('designs.status', '=', 'available')
        .where(sql<boolean>`(designs.editions IS NULL OR designs.editions > ${USED_EDITIONS})`),
    )
    .orderBy('designs.position')
    .orderBy('designs.created_at')
    .orderBy('designs.id');
}

export function listDesigns(
  database: Database,
  artistId: string,
  kind: DesignListKind,
  page: Pagination,
) {
  return loadPage(selectOrderedDesigns(database, artistId, kind), page);
}

/** Finds a design of this artist only, in any status. */
export function findArtistDesign(database: Database, artistId: string, id: string) {
  return selectDesigns(database, artistId).where('designs.id', '=', id).executeTakeFirst();
}

/** Finds a design with one of these statuses, unless its artist is inactive or a superuser. */
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
    .where('designs.deleted_at', 'is', null)
    .where('artists.is_active', '=', true)
    .where('artists.is_superuser', '=', false)
    .executeTakeFirst();
}

export type PublicDesignRow = NonNullable<Awaited<ReturnType<typeof findPublicDesign>>>;
export type DesignRow = NonNullable<Awaited<ReturnType<typeof findArtistDesign>>>;

/** Inserts a design at the end of the artist's list; returns the design's id. */
export async function insertDesign(database: Database, design: Insertable<Designs>) {
  const { id } = await database
    .insertInto('designs')
    .values({ ...design, position: nextPosition('designs', design.artist_id) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Updates a design and the title of its image; false when this artist has no such design. */
export async function updateDesign(
  transaction: Database,
  artistId: string,
  id: string,
  changes: Updateable<Designs>,
): Promise<boolean> {
  const updatedDesign = await transaction
    .updateTable('designs')
    // An UPDATE must set a column, even when `changes` is empty: `artist_id` keeps its value.
    .set({ ...changes, artist_id: artistId })
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .where('deleted_at', 'is', null)
    .returning(['name', 'description', 'image_id'])
    .executeTakeFirst();
  if (!updatedDesign) return false;
  await transaction
    .updateTable('images')
    .set({ title: toImageTitle(updatedDesign) })
    .where('id', '=', updatedDesign.image_id)
    .where('artist_id', '=', artistId)
    .execute();
  return true;
}

/** Returns the title of a design's image, which is also its alternative text on pages. */
export function toImageTitle({ name, description }: { name: string; description: string }): string {
  return description || name;
}

/**
 * Marks a design as deleted; the row stays for the appointments and links that refer to it. Deletes
 * the row of its image too, unless an appointment shows the image.
 * @returns the ids of the deleted images; undefined when this artist has no such design
 */
export function deleteDesign(
  database: Database,
  artistId: string,
  id: string,
): Promise<string[] | undefined> {
  return database.transaction().execute(async (transaction) => {
    const design = await transaction
      .updateTable('designs')
      .set({ deleted_at: new Date() })
      .where('id', '=', id)
      .where('artist_id', '=', artistId)
      .where('deleted_at', 'is', null)
      .returning('image_id')
      .executeTakeFirst();
    if (!design) return undefined;
    const isShown = await transaction
      .selectFrom('appointments')
      .select('id')
      .where('design_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (isShown || design.image_id === null) return [];
    await transaction.updateTable('designs').set({ image_id: null }).where('id', '=', id).execute();
    await deleteImage(transaction, artistId, 'design', design.image_id);
    return [design.image_id];
  });
}

/** The username of the artist who has, or had, the design; undefined without a public page. */
export async function findUsernameOfDesign(database: Database, id: string) {
  const row = await database
    .selectFrom('designs')
    .innerJoin('artists', 'artists.id', 'designs.artist_id')
    .select('artists.username')
    .where('designs.id', '=', id)
    .where('artists.is_active', '=', true)
    .where('artists.is_superuser', '=', false)
    .executeTakeFirst();
  return row?.username;
}

/** Whether this artist has, or had, the design or the service, also if it was deleted. */
export async function isOfArtist(
  database: Database,
  table: 'designs' | 'services',
  artistId: string,
  id: string,
) {
  const found = await database
    .selectFrom(table)
    .select('id')
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .executeTakeFirst();
  return found !== undefined;
}
