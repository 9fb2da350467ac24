import { type SelectQueryBuilder, sql } from 'kysely';

/** Which part of a list; `limit` is at most what the contract allows. */
export interface Pagination {
  readonly skip: number;
  readonly limit: number;
}

/** What the query of a list's total selects. */
export const TOTAL_COUNT = sql<number>`count(*)::int`.as('count');

/** One page of a query's rows, and how many there are in all. */
export async function loadPage<DB, T extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, T, Row>,
  total: SelectQueryBuilder<DB, T, { count: number }>,
  { skip, limit }: Pagination,
): Promise<{ rows: Row[]; count: number }> {
  const page = await rows.limit(limit).offset(skip).execute();
  // Where the list ends on this page, the page tells the total; most lists are that short.
  const endsHere = page.length < limit && (page.length > 0 || skip === 0);
  if (endsHere) return { rows: page, count: skip + page.length };
  const { count } = await total.executeTakeFirstOrThrow();
  return { rows: page, count };
}
