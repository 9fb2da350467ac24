import type { DesignStatus } from '#domain/artwork.ts';
import type { Database } from './connect.ts';
import { type Page, readPage, TOTAL } from './page.ts';

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
] as const;

/** The designs that clients can book, in the artist's order. */
export function listAvailableDesigns(database: Database, artistId: string, page: Page) {
  const all = database
    .selectFrom('designs')
    .innerJoin('images', 'images.id', 'designs.image_id')
    .where('designs.artist_id', '=', artistId)
    .where('designs.status', '=', 'available');
  return readPage(
    all
      .select(COLUMNS)
      .orderBy('designs.position')
      .orderBy('designs.created_at')
      .orderBy('designs.id'),
    all.select(TOTAL),
    page,
  );
}

/** A design in one of these states, with whose it is. */
export function findDesign(database: Database, id: string, statuses: readonly DesignStatus[]) {
  return database
    .selectFrom('designs')
    .innerJoin('images', 'images.id', 'designs.image_id')
    .innerJoin('artists', 'artists.id', 'designs.artist_id')
    .select(COLUMNS)
    .select(['designs.artist_id', 'artists.username'])
    .where('designs.id', '=', id)
    .where('designs.status', 'in', statuses)
    .where('artists.is_active', '=', true)
    .executeTakeFirst();
}
