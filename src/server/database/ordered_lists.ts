/** Lists that artists sort by hand, by the column `position`, which counts from 0. */
import { sql } from 'kysely';
import type { Database, Transaction } from './connect.ts';

/** Each list's table, and the SQL condition for the rows of the table that belong to the list. */
const ORDERED_LISTS = {
  services: { table: 'services', condition: sql`deleted_at IS NULL` },
  designs: { table: 'designs', condition: sql`deleted_at IS NULL` },
  portfolio: { table: 'images', condition: sql`kind = 'portfolio'` },
} as const;
export type OrderedList = keyof typeof ORDERED_LISTS;

/**
 * Moves an item within its artist's list and updates the positions of all items. Does nothing when this
 * artist has no such item. Call it while the artist is locked: moves that lock items in different orders
 * could deadlock.
 * @param position counts from 0; a position beyond the end means the end
 */
export async function moveToPosition(
  transaction: Transaction,
  list: OrderedList,
  { id, artistId }: { readonly id: string; readonly artistId: string },
  position: number,
): Promise<void> {
  const { table, condition } = ORDERED_LISTS[list];
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.table(table)} WHERE artist_id = ${artistId} AND ${condition}
    ORDER BY position, created_at, id
  `.execute(transaction);
  const ids = rows.map((row) => row.id);
  if (!ids.includes(id)) return;
  const orderedIds = ids.filter((other) => other !== id).toSpliced(position, 0, id);
  // WITH ORDINALITY numbers the ids from 1.
  await sql`
    UPDATE ${sql.table(table)} AS item SET position = ordered.number - 1
    FROM unnest(${orderedIds}::uuid[]) WITH ORDINALITY AS ordered (id, number)
    WHERE item.id = ordered.id AND item.artist_id = ${artistId}
      AND item.position <> ordered.number - 1
  `.execute(transaction);
}

/** Counts the items in an artist's list. */
export async function countItems(
  database: Database,
  list: OrderedList,
  artistId: string,
): Promise<number> {
  const { table, condition } = ORDERED_LISTS[list];
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM ${sql.table(table)}
    WHERE artist_id = ${artistId} AND ${condition}
  `.execute(database);
  return rows[0]?.count ?? 0;
}

/**
 * Returns the SQL expression for the position after an artist's last item. Two concurrent inserts
 * may get the same position; lists then show the older item first.
 */
export function nextPosition(list: OrderedList, artistId: string) {
  const { table, condition } = ORDERED_LISTS[list];
  return sql<number>`(
    SELECT coalesce(max(position) + 1, 0) FROM ${sql.table(table)}
    WHERE artist_id = ${artistId} AND ${condition}
  )`;
}
