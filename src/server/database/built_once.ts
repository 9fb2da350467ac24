import {
  type Compilable,
  type CompiledQuery,
  type Expression,
  type ShallowDehydrateObject,
  sql,
} from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Database } from './connect.ts';

/** Stands for the value when the query is built; each run replaces it. */
const PLACEHOLDER = 'the value of this run';

/**
 * Builds a query at its first run and keeps the SQL: Kysely takes longer to build a short query than
 * PostgreSQL to answer it. PostgreSQL sends the row as JSON, which is parsed faster than columns.
 * @param build builds a query of at most one row around a value, which differs from run to run
 * @returns runs the query with a value; returns the row, undefined when there is none
 */
export function builtOnce<Row>(
  build: (database: Database, value: string) => Expression<Row>,
): (database: Database, value: string) => Promise<ShallowDehydrateObject<Row> | undefined> {
  type Found = { row: ShallowDehydrateObject<Row> | null };
  let query: CompiledQuery<Found> | undefined;
  return async (database, value) => {
    query ??= sql<Found>`SELECT ${jsonObjectFrom(build(database, PLACEHOLDER))} AS row`.compile(
      database,
    );
    const parameters = query.parameters.map((other) => (other === PLACEHOLDER ? value : other));
    const { rows } = await database.executeQuery<Found>({ ...query, parameters });
    return rows[0]?.row ?? undefined;
  };
}

/** As `builtOnce`, for a query whose row has dates: PostgreSQL sends its columns, not JSON. */
export function columnsBuiltOnce<Row>(
  build: (database: Database, value: string) => Compilable<Row>,
): (database: Database, value: string) => Promise<Row | undefined> {
  let query: CompiledQuery<Row> | undefined;
  return async (database, value) => {
    query ??= build(database, PLACEHOLDER).compile();
    const parameters = query.parameters.map((other) => (other === PLACEHOLDER ? value : other));
    const { rows } = await database.executeQuery<Row>({ ...query, parameters });
    return rows[0];
  };
}
