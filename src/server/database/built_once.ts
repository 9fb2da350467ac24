import {
  type Compilable,
  type CompiledQuery,
  type Expression,
  type ShallowDehydrateObject,
  sql,
} from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Database } from './connect.ts';

/** The values that differ from run to run, by name. A number is an instant, which the query may pass on as a Date. */
type Values = Readonly<Record<string, string | number>>;

/** Finds a parameter of a run in its values. */
type Read<Given> = (values: Given) => unknown;

/** Stands for the value when the query is built; each run replaces it. */
const PLACEHOLDER = 'the value of this run';

/**
 * Builds a query of one value, as `builtOnceFor` builds one of several.
 * @returns runs the query with a value; returns the row, undefined when there is none
 */
export function builtOnce<Row>(build: (database: Database, value: string) => Expression<Row>) {
  const find = builtOnceFor({ value: PLACEHOLDER }, (database, { value }) =>
    build(database, value),
  );
  return (database: Database, value: string) => find(database, { value });
}

/**
 * Builds a query at its first run and keeps the SQL: Kysely takes longer to build a short query than
 * PostgreSQL to answer it. PostgreSQL sends the row as JSON, which is parsed faster than columns.
 * @param placeholders stand for the values when the query is built: no other parameter may equal one of them
 * @param build builds a query of at most one row, in which each value is a parameter as it is, or as a Date
 * @returns runs the query with values; returns the row, undefined when there is none
 */
export function builtOnceFor<Given extends Values, Row>(
  placeholders: Given,
  build: (database: Database, values: Given) => Expression<Row>,
): (database: Database, values: Given) => Promise<ShallowDehydrateObject<Row> | undefined> {
  type Found = { row: ShallowDehydrateObject<Row> | null };
  const find = compiledOnce(placeholders, (database, values) =>
    sql<Found>`SELECT ${jsonObjectFrom(build(database, values))} AS row`.compile(database),
  );
  return async (database, values) => (await find(database, values))?.row ?? undefined;
}

/** As `builtOnce`, for a row with dates: PostgreSQL sends its columns, not JSON. */
export function columnsBuiltOnce<Row>(
  build: (database: Database, value: string) => Compilable<Row>,
) {
  const find = compiledOnce({ value: PLACEHOLDER }, (database, { value }) =>
    build(database, value).compile(),
  );
  return (database: Database, value: string) => find(database, { value });
}

function compiledOnce<Given extends Values, Row>(
  placeholders: Given,
  compile: (database: Database, values: Given) => CompiledQuery<Row>,
): (database: Database, values: Given) => Promise<Row | undefined> {
  let query: CompiledQuery<Row> | undefined;
  let reads: readonly Read<Given>[] = [];
  return async (database, values) => {
    if (!query) {
      query = compile(database, placeholders);
      reads = query.parameters.map((one) => toRead(one, placeholders));
    }
    const parameters = reads.map((read) => read(values));
    const { rows } = await database.executeQuery<Row>({ ...query, parameters });
    return rows[0];
  };
}

/** How a run gets a parameter: from its values, if the parameter equals a placeholder. */
function toRead<Given extends Values>(parameter: unknown, placeholders: Given): Read<Given> {
  const isDate = parameter instanceof Date;
  const plain = isDate ? parameter.getTime() : parameter;
  const name = Object.keys(placeholders).find((one) => placeholders[one] === plain);
  if (name === undefined) return () => parameter;
  return isDate ? (values) => new Date(values[name] ?? Number.NaN) : (values) => values[name];
}
