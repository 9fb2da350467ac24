import { type SelectQueryBuilder, sql } from 'kysely';

export interface Pagination {
  /** The number of rows before the page. */
  readonly skip: number;
  /** The maximum number of rows on the page. */
  readonly limit: number;
}

/** Loads one page of a query's rows, and `count`, the number of rows on all pages. */
export async function loadPage<DB, T extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, T, Row>,
  { skip, limit }: Pagination,
): Promise<{ rows: Row[]; count: number }> {
  const rows = await query.limit(limit).offset(skip).execute();
  // A page with fewer rows than `limit` is the last one, so no second query is needed. But an empty
  // page after skipped rows says nothing about the count, because `skip` may be beyond the end.
  const isCountKnown = rows.length < limit && (rows.length > 0 || skip === 0);
  if (isCountKnown) return { rows, count: skip + rows.length };
  const { count } = await query
    .clearSelect()
    .clearOrderBy()
    .select(sql`count(*)::int`.as('count'))
    .$castTo<{ count: number }>()
    .executeTakeFirstOrThrow();
  return { rows, count };
}
