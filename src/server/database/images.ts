import { type Expression, type Insertable, type InsertObject, sql } from 'kysely';
import type { ImageFormat } from '#domain/artwork.ts';
import type { Database } from './connect.ts';
import { nextPosition } from './ordered_lists.ts';
import { loadPage, type Pagination } from './pagination.ts';
import { deleteImage } from './removed_images.ts';
import type { DB, Images } from './tables.ts';

const COLUMNS = ['id', 'title', 'width', 'height', 'widths', 'formats', 'placeholder'] as const;

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

function selectPortfolio(database: Database, artistId: string | Expression<string>) {
  return database
    .selectFrom('images')
    .select(COLUMNS)
    .where('artist_id', '=', artistId)
    .where('kind', '=', 'portfolio');
}

/**
 * Each of the `formats`, the best for browsers first, has a file of each of the `widths`. The
 * `placeholder` is a data URI; null if the image is transparent.
 */
export type ImageRow = NonNullable<Awaited<ReturnType<typeof findPortfolioImage>>>;

/** Selects an artist's portfolio, in the order that the artist chose. */
export function selectOrderedPortfolio(database: Database, artistId: string | Expression<string>) {
  return selectPortfolio(database, artistId)
    .orderBy('position')
    .orderBy('created_at')
    .orderBy('id');
}

export function listPortfolioImages(database: Database, artistId: string, page: Pagination) {
  return loadPage(selectOrderedPortfolio(database, artistId), page);
}

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

/** Finds an image in this artist's portfolio only. */
export function findPortfolioImage(database: Database, artistId: string, id: string) {
  return selectPortfolio(database, artistId).where('id', '=', id).executeTakeFirst();
}

/** Inserts the row of an image. The image's files must already be stored under the same id. */
export function insertImage(database: Database, image: InsertObject<DB, 'images'>) {
  return database.insertInto('images').values(image).returning(COLUMNS).executeTakeFirstOrThrow();
}

/** Inserts an image at the end of the artist's portfolio. */
export function insertPortfolioImage(database: Database, image: Insertable<Images>) {
  return insertImage(database, { ...image, position: nextPosition('portfolio', image.artist_id) });
}

/** Returns false when the image is not in this artist's portfolio. */
export async function updatePortfolioImageTitle(
  database: Database,
  artistId: string,
  id: string,
  title: string,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('images')
    .set({ title })
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .where('kind', '=', 'portfolio')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Inserts the row of an artist's new avatar, and deletes the row of the old avatar.
 * @returns the id of the old avatar, whose files the caller must delete; null if there was none
 */
export async function replaceAvatar(
  transaction: Database,
  image: Insertable<Images>,
): Promise<string | null> {
  // The lock makes a concurrent call wait, so that the later call deletes this call's avatar.
  const artist = await transaction
    .selectFrom('artists')
    .select('avatar_id')
    .where('id', '=', image.artist_id)
    .forUpdate()
    .executeTakeFirst();
  const oldAvatarId = artist?.avatar_id ?? null;
  const { id } = await insertImage(transaction, image);
  await transaction
    .updateTable('artists')
    .set({ avatar_id: id })
    .where('id', '=', image.artist_id)
    .execute();
  if (oldAvatarId !== null) await deleteImage(transaction, image.artist_id, 'avatar', oldAvatarId);
  return oldAvatarId;
}

/** Finds an artist's profile picture. */
export function findAvatar(database: Database, artistId: string) {
  return database
    .selectFrom('images')
    .innerJoin('artists', 'artists.avatar_id', 'images.id')
    .select(['images.id', 'images.widths'])
    .where('artists.id', '=', artistId)
    .executeTakeFirst();
}

/** Finds the row of an image of any kind; undefined when the image was deleted. */
export function findImage(database: Database, id: string) {
  return database
    .selectFrom('images')
    .select(['id', 'artist_id', 'widths', 'formats'])
    .where('id', '=', id)
    .executeTakeFirst();
}

const WITHOUT_AVIF = sql<boolean>`NOT 'avif' = ANY(formats)`;

/**
 * Lists images without AVIF files, in the same order in each call. `rank` counts an artist's images
 * from 0.
 */
export function listImagesWithoutAvif(database: Database) {
  return database
    .selectFrom('images')
    .select([
      'id',
      sql<number>`row_number() OVER (PARTITION BY artist_id ORDER BY created_at, id)::int - 1`.as(
        'rank',
      ),
    ])
    .where(WITHOUT_AVIF)
    .orderBy('id')
    .execute();
}

export async function countImagesWithoutAvif(
  database: Database,
  artistId: string,
): Promise<number> {
  const { count } = await database
    .selectFrom('images')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('artist_id', '=', artistId)
    .where(WITHOUT_AVIF)
    .executeTakeFirstOrThrow();
  return count;
}

/** Stores an image's formats, the preferred one first; false when the image was deleted. */
export async function updateImageFormats(
  database: Database,
  id: string,
  formats: readonly ImageFormat[],
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('images')
    .set({ formats: [...formats] })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
