import type { Compilable, CompiledQuery } from 'kysely';
import type { Database } from './connect.ts';

const PLACEHOLDER = 'the value of this run';

/**
 * Builds a query at its first run and keeps the SQL: Kysely takes longer to build a short query than
 * PostgreSQL to answer it.
 * @param build builds the query around one value, which differs from run to run
 * @returns runs the query with a value; returns the first row, undefined when there is none
 */
export function builtOnce<Row>(
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
