import type { Database } from './connect.ts';
import { type Page, readPage, TOTAL } from './page.ts';

const COLUMNS = ['id', 'title', 'width', 'height', 'widths', 'formats'] as const;

/** An artist's portfolio, in the artist's order. */
export function listPortfolio(database: Database, artistId: string, page: Page) {
  const all = database
    .selectFrom('images')
    .where('artist_id', '=', artistId)
    .where('kind', '=', 'portfolio');
  return readPage(
    all.select(COLUMNS).orderBy('position').orderBy('created_at').orderBy('id'),
    all.select(TOTAL),
    page,
  );
}
