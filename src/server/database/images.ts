import { type Insertable, type InsertObject, sql } from 'kysely';
import type { ImageFormat } from '#domain/artwork.ts';
import type { Database } from './connect.ts';
import { nextPosition } from './ordered_lists.ts';
import { loadPage, type Pagination, TOTAL_COUNT } from './pagination.ts';
import { deleteImage } from './removed_images.ts';
import type { DB, Images } from './tables.ts';

const COLUMNS = ['id', 'title', 'width', 'height', 'widths', 'formats', 'placeholder'] as const;

function selectPortfolio(database: Database, artistId: string) {
  return database
    .selectFrom('images')
    .where('artist_id', '=', artistId)
    .where('kind', '=', 'portfolio');
}

export type ImageRow = NonNullable<Awaited<ReturnType<typeof findPortfolioImage>>>;

/** An artist's portfolio, in the artist's order. */
export function listPortfolioImages(database: Database, artistId: string, page: Pagination) {
  const all = selectPortfolio(database, artistId);
  return loadPage(
    all.select(COLUMNS).orderBy('position').orderBy('created_at').orderBy('id'),
    all.select(TOTAL_COUNT),
    page,
  );
}

/**
 * The pictures that anyone sees of these artists, in the artists' order: portfolios, available
 * designs and avatars.
 * @param most how many of a kind, of each artist
 */
export async function listPublicImages(
  database: Database,
  artistIds: readonly string[],
  most: number,
) {
  if (artistIds.length === 0) return [];
  const ranked = database
    .selectFrom('images')
    .leftJoin('designs', 'designs.image_id', 'images.id')
    .select([
      'images.id',
      'images.artist_id',
      'images.kind',
      'images.widths',
      sql<string>`row_number() OVER (PARTITION BY images.artist_id, images.kind
        ORDER BY COALESCE(designs.position, images.position),
          COALESCE(designs.created_at, images.created_at), COALESCE(designs.id, images.id))`.as(
        'place',
      ),
    ])
    .where(sql<boolean>`images.artist_id = any(${[...artistIds]}::uuid[])`)
    .where(sql<boolean>`(images.kind <> 'design' OR designs.status = 'available')`);
  return database
    .selectFrom(ranked.as('ranked'))
    .select(['id', 'artist_id', 'kind', 'widths'])
    .where('place', '<=', String(most))
    .orderBy('place')
    .execute();
}

/** A picture of this artist's portfolio. */
export function findPortfolioImage(database: Database, artistId: string, id: string) {
  return selectPortfolio(database, artistId)
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The picture is stored already, under its id. */
export function insertImage(
  database: Database,
  image: InsertObject<DB, 'images'>,
): Promise<ImageRow> {
  return database.insertInto('images').values(image).returning(COLUMNS).executeTakeFirstOrThrow();
}

/** Adds a picture at the end of the artist's portfolio. */
export function insertPortfolioImage(
  database: Database,
  image: Insertable<Images>,
): Promise<ImageRow> {
  return insertImage(database, { ...image, position: nextPosition('portfolio', image.artist_id) });
}

/** False when this artist has no such picture in their portfolio. */
export async function updatePortfolioImageTitle(
  database: Database,
  artistId: string,
  id: string,
  title: string,
): Promise<boolean> {
  const renamed = await database
    .updateTable('images')
    .set({ title })
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .where('kind', '=', 'portfolio')
    .returning('id')
    .executeTakeFirst();
  return renamed !== undefined;
}

/** Makes a new avatar the artist's; answers the id of the one that it replaced. */
export async function replaceAvatar(
  database: Database,
  image: Insertable<Images>,
): Promise<string | null> {
  return database.transaction().execute(async (transaction) => {
    // Locked: of two at once, the later one must see the earlier one's.
    const artist = await transaction
      .selectFrom('artists')
      .select('avatar_id')
      .where('id', '=', image.artist_id)
      .forUpdate()
      .executeTakeFirst();
    const before = artist?.avatar_id ?? null;
    const { id } = await insertImage(transaction, image);
    await transaction
      .updateTable('artists')
      .set({ avatar_id: id })
      .where('id', '=', image.artist_id)
      .execute();
    if (before !== null) await deleteImage(transaction, image.artist_id, 'avatar', before);
    return before;
  });
}

/** A picture whose AVIF variants are still to be made; undefined when it is finished or gone. */
export function findImageWithoutAvif(database: Database, id: string) {
  return database
    .selectFrom('images')
    .select(['id', 'artist_id', 'widths'])
    .where('id', '=', id)
    .where(sql<boolean>`NOT 'avif' = ANY(formats)`)
    .executeTakeFirst();
}

/**
 * Some of the pictures whose AVIF variants are still to be made, by id after that one.
 * @param uploadedBefore only older pictures
 */
export async function listImagesWithoutAvif(
  database: Database,
  after: string,
  limit: number,
  uploadedBefore: Date,
): Promise<string[]> {
  const rows = await database
    .selectFrom('images')
    .select('id')
    .where(sql<boolean>`NOT 'avif' = ANY(formats)`)
    .where('id', '>', after)
    .where('created_at', '<=', uploadedBefore)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Says in which formats a picture is stored now, best first; false when it is gone. */
export async function updateImageFormats(
  database: Database,
  id: string,
  formats: readonly ImageFormat[],
): Promise<boolean> {
  const changed = await database
    .updateTable('images')
    .set({ formats: [...formats] })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}
