import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';

export interface Pagination {
  /** The number of rows before the page. */
  readonly skip: number;
  /** The maximum number of rows on the page. */
  readonly limit: number;
}

interface Page<Row> {
  readonly rows: Row[];
  /** The number of rows on all pages. */
  readonly count: number;
}

/** Loads one page of a query's rows, and counts the rows on all pages. */
export async function loadPage<DB, T extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, T, Row>,
  page: Pagination,
): Promise<Page<Row>> {
  const rows = await query.limit(page.limit).offset(page.skip).execute();
  return { rows, count: await countRows(query, page, rows.length) };
}

/**
 * Like `loadPage`, for rows of many tables: only those of the page are joined.
 * @param ids selects the ids of all rows, in the order of the pages
 * @param load loads, in the same order, the rows whose ids are in an SQL array
 */
export async function loadPageByIds<DB, T extends keyof DB, Row>(
  ids: SelectQueryBuilder<DB, T, { id: string }>,
  page: Pagination,
  load: (ids: RawBuilder<readonly string[]>) => Promise<Row[]>,
): Promise<Page<Row>> {
  const rows = await load(sql`array(${ids.limit(page.limit).offset(page.skip)})`);
  return { rows, count: await countRows(ids, page, rows.length) };
}

/** Counts the rows on all pages. @param onPage how many rows the page has */
async function countRows<DB, T extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, T, Row>,
  { skip, limit }: Pagination,
  onPage: number,
): Promise<number> {
  // A page with fewer rows than `limit` is the last one, so no second query is needed. But an empty
  // page after skipped rows says nothing about the count, because `skip` may be beyond the end.
  if (onPage < limit && (onPage > 0 || skip === 0)) return skip + onPage;
  const { count } = await query
    .clearSelect()
    .clearOrderBy()
    .select(sql`count(*)::int`.as('count'))
    .$castTo<{ count: number }>()
    .executeTakeFirstOrThrow();
  return count;
}
