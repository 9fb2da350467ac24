/** Copies whole tables out of a database and into an empty one, for backups. */
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

export interface CopiedTable {
  readonly name: string;
  /** Without generated columns, which PostgreSQL computes again. */
  readonly columns: readonly string[];
}

/** Exports live only a day, and their files are in no backup: an artist starts another one. */
const TABLES_LEFT_OUT = ['exports', 'export_files'];

/** The form of values does not depend on the settings of a database. */
const PORTABLE_SETTINGS = `
  SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres'; SET TimeZone = 'UTC';
  SET extra_float_digits = 3; SET bytea_output = 'hex'; SET client_encoding = 'UTF8';
  SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0`;

/** Opens a connection without time limits, for `await using`. */
export async function openCopyConnection(url: string) {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    application_name: 'linework backup',
  });
  // Without a listener, a lost connection would end the process, not only reject the query.
  client.on('error', () => {});
  await client.connect();
  await client.query(PORTABLE_SETTINGS);
  return {
    client,
    // The end of the connection rolls back an open transaction.
    [Symbol.asyncDispose]: () => client.end().catch(() => {}),
  };
}

/** Begins a transaction that sees all tables at one moment, and returns that moment. */
export async function beginSnapshot(client: pg.Client): Promise<Date> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { rows } = await client.query<{ at: Date }>('SELECT now() AS at');
  return rows[0]?.at ?? new Date();
}

/** Lists all tables of the schema but those of extensions and `TABLES_LEFT_OUT`. */
export async function listCopiedTables(client: pg.Client): Promise<CopiedTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
      AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
      AND relname <> ALL($1)
      AND NOT EXISTS (SELECT FROM pg_depend
        WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
    GROUP BY relname ORDER BY relname`,
    [TABLES_LEFT_OUT],
  );
  return rows;
}

/** A stream of a table's rows in the text form of COPY. `rowCount` is known at its end. */
export function copyOut(client: pg.Client, table: CopiedTable) {
  return client.query(copyTo(`COPY ${toTarget(table)} TO STDOUT`));
}

/** A stream that takes the output of `copyOut`. `rowCount` is known when it has finished. */
export function copyIn(client: pg.Client, table: CopiedTable) {
  return client.query(copyFrom(`COPY ${toTarget(table)} FROM STDIN`));
}

function toTarget({ name, columns }: CopiedTable): string {
  return `${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`;
}

/**
 * Names an object in a database that should be empty: a table or view of the schema, or the queue of
 * jobs; undefined if it is empty.
 */
export async function findAnyObject(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT 'the table ' || relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
      AND NOT EXISTS (SELECT FROM pg_depend
        WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
    UNION ALL SELECT 'the schema ' || nspname FROM pg_namespace WHERE nspname = 'pgboss'
    LIMIT 1`,
  );
  return rows[0]?.name;
}

/**
 * Removes the rows of a new schema, and drops its foreign keys and disables its triggers until
 * `finish` is called, in the same transaction: tables refer to each other in circles, and triggers would
 * write rows that are loaded too. Only the owner of the tables may do so, no superuser is needed.
 */
export async function prepareLoading(client: pg.Client): Promise<{ finish(): Promise<void> }> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name,
      pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
    ORDER BY conname`,
  );
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY relname`,
  );
  const runAll = async (statements: readonly string[]) => {
    if (statements.length > 0) await client.query(statements.join(';\n'));
  };
  await runAll(keys.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`));
  await runAll(tables.map(({ name }) => `ALTER TABLE ${name} DISABLE TRIGGER USER`));
  await runAll(tables.map(({ name }) => `DELETE FROM ${name}`));
  return {
    async finish() {
      await runAll(
        keys.map(
          ({ table, name, definition }) =>
            `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`,
        ),
      );
      await runAll(tables.map(({ name }) => `ALTER TABLE ${name} ENABLE TRIGGER USER`));
      await setSequences(client);
    },
  };
}

/** Lets each sequence of a column continue after the column's largest value. */
async function setSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `SELECT refobjid::regclass::text AS table, quote_ident(attname) AS column,
      objid::regclass::text AS sequence
    FROM pg_depend
    JOIN pg_class AS sequence ON sequence.oid = objid AND sequence.relkind = 'S'
    JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
    WHERE pg_depend.classid = 'pg_class'::regclass AND deptype IN ('a', 'i')
      AND sequence.relnamespace = current_schema()::regnamespace`,
  );
  for (const { table, column, sequence } of rows)
    await client.query(
      `SELECT setval($1::regclass, coalesce(max(${column}), 0) + 1, false) FROM ${table}`,
      [sequence],
    );
}

/** Counts the rows of a table. */
export async function countRows(client: pg.Client, name: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `SELECT count(*) AS count FROM ${pg.escapeIdentifier(name)}`,
  );
  return Number(rows[0]?.count);
}
