import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { DB } from './tables.ts';

/** What an artist puts in order, and which rows of the table belong to it. */
const ORDERED_LISTS = {
  services: { table: 'services', condition: sql`deleted_at IS NULL` },
  designs: { table: 'designs', condition: sql`true` },
  portfolio: { table: 'images', condition: sql`kind = 'portfolio'` },
} as const;
export type OrderedList = keyof typeof ORDERED_LISTS;

/**
 * Moves one thing to a place in its artist's list, the others making room; all are numbered anew.
 * @param position from 0; beyond the end is the end
 * @returns false when this artist has none such
 */
export async function moveToPosition(
  transaction: Transaction<DB>,
  list: OrderedList,
  artistId: string,
  id: string,
  position: number,
): Promise<boolean> {
  // One at a time for each artist, and not while the account goes. Rows locked in the list's own
  // order could deadlock: it changes.
  await transaction
    .selectFrom('artists')
    .select('id')
    .where('id', '=', artistId)
    .forNoKeyUpdate()
    .execute();
  const { table, condition: only } = ORDERED_LISTS[list];
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.table(table)} WHERE artist_id = ${artistId} AND ${only}
    ORDER BY position, created_at, id
  `.execute(transaction);
  const others = rows.filter((row) => row.id !== id).map((row) => row.id);
  if (others.length === rows.length) return false;
  const ordered = others.toSpliced(position, 0, id);
  await sql`
    UPDATE ${sql.table(table)} AS listed SET position = place.number - 1
    FROM unnest(${ordered}::uuid[]) WITH ORDINALITY AS place (id, number)
    WHERE listed.id = place.id AND listed.artist_id = ${artistId}
      AND listed.position <> place.number - 1
  `.execute(transaction);
  return true;
}

/** The position of what is added at the end of an artist's list; ties are settled by age. */
export function nextPosition(list: OrderedList, artistId: string): RawBuilder<number> {
  const { table, condition: only } = ORDERED_LISTS[list];
  return sql<number>`(
    SELECT coalesce(max(position) + 1, 0) FROM ${sql.table(table)}
    WHERE artist_id = ${artistId} AND ${only}
  )`;
}
