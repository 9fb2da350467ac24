import { type SelectQueryBuilder, sql } from 'kysely';
import type { Transaction } from './connect.ts';

/** How many rows are read at a time: few enough that several large texts in each fit into memory. */
const ROWS_PER_FETCH = 200;

/**
 * Reads the rows of a query of any size, some at a time. All calls use the same name of a cursor: in one
 * transaction, begin the next only after this one was read to its end.
 */
export async function* readRows<DB, T extends keyof DB, Row>(
  transaction: Transaction,
  query: SelectQueryBuilder<DB, T, Row>,
): AsyncGenerator<Row> {
  await sql`DECLARE listed NO SCROLL CURSOR FOR ${query}`.execute(transaction);
  const fetchRows = sql<Row>`FETCH FORWARD ${sql.lit(ROWS_PER_FETCH)} FROM listed`;
  for (;;) {
    const { rows } = await fetchRows.execute(transaction);
    yield* rows;
    if (rows.length < ROWS_PER_FETCH) break;
  }
  // Not in a `finally`: a reader that leaves earlier may have ended the transaction already.
  await sql`CLOSE listed`.execute(transaction);
}
