/**
 * Changes and deletes many rows in small statements. PostgreSQL cancels a statement that takes too long: one
 * that deletes a million rows would fail, and fail again each time.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '#domain/time/time.ts';
import type { Database } from './connect.ts';
import type { DB } from './tables.ts';

/** How many rows one statement changes. */
export const BATCH = 1000;
/** How long one call of `inBatches` goes on; the next call does the rest. */
const MAX_MS = 10_000;
/** How many pages (of 8 KB) of a table one statement reads: some hundred rows. */
const PAGES = 8;

/**
 * Calls `change` until it changes fewer than `BATCH` rows, or some seconds have passed.
 * @param change changes up to `BATCH` rows, and returns how many
 * @returns how many rows were changed in all
 */
export async function inBatches(change: () => Promise<number>): Promise<number> {
  const end = performance.now() + MAX_MS;
  let count = 0;
  let changed: number;
  do {
    changed = await change();
    count += changed;
  } while (changed >= BATCH && performance.now() < end);
  return count;
}

/**
 * The SQL condition of the next `BATCH` rows of a table, without rows that others have locked.
 * @param column the order. A large table needs an index on it: else PostgreSQL reads all deleted rows again
 */
export function isInNextBatch(
  table: keyof DB,
  column: string,
  condition: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${table}.ctid`)} = any(array(
    SELECT ctid FROM ${sql.table(table)} WHERE ${condition}
    ORDER BY ${sql.ref(column)} LIMIT ${sql.lit(BATCH)} FOR UPDATE SKIP LOCKED))`;
}

/** Deletes the rows of a table that meet a condition, in batches. The parameters are those of `isInNextBatch`. */
export async function deleteInBatches(
  database: Database,
  table: keyof DB,
  column: string,
  condition: RawBuilder<unknown>,
): Promise<void> {
  await inBatches(() =>
    countChanged(
      database,
      sql`DELETE FROM ${sql.table(table)} WHERE ${isInNextBatch(table, column, condition)}`,
    ),
  );
}

/** Deletes the rows whose `column` is before an instant, in batches. */
export function deleteOlderThan<Table extends keyof DB>(
  database: Database,
  table: Table,
  column: keyof DB[Table] & string,
  before: Instant,
): Promise<void> {
  return deleteInBatches(database, table, column, sql`${sql.ref(column)} < ${new Date(before)}`);
}

/** Runs a statement. @returns how many rows it changed */
export async function countChanged(
  database: Database,
  statement: RawBuilder<unknown>,
): Promise<number> {
  const { numAffectedRows } = await statement.execute(database);
  return Number(numAffectedRows ?? 0);
}

/**
 * Calls `change` for one part of a table after the other: for changes once a day, which need no index.
 * @param change changes rows of a part, given as an SQL condition, and returns how many
 * @returns how many rows were changed in all
 */
export async function inParts(
  database: Database,
  table: keyof DB,
  change: (isInPart: RawBuilder<boolean>) => Promise<number>,
): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    SELECT (pg_relation_size(${table}::regclass) / current_setting('block_size')::int)::int AS pages
  `.execute(database);
  const pages = rows[0]?.pages ?? 0;
  const row = sql.ref(`${table}.ctid`);
  let count = 0;
  for (let page = 0; page < pages; page += PAGES)
    count += await change(
      sql`(${row} >= ${`(${page},0)`}::tid AND ${row} < ${`(${page + PAGES},0)`}::tid)`,
    );
  return count;
}
