import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { databaseOf, openDatabase, openPool, type Transaction } from '#server/database/connect.ts';
import { openTestApp } from '#support/test_app.ts';

/** One connection, and the names of the statements prepared on it. */
async function openOneConnection() {
  const { databaseUrl } = await openTestApp();
  const database = openDatabase(databaseUrl, 1);
  const names = async () => {
    const { rows } = await sql<{ name: string }>`
      SELECT name FROM pg_prepared_statements ORDER BY name
    `.execute(database);
    return rows.map(({ name }) => name);
  };
  return { database, names, [Symbol.asyncDispose]: () => database.destroy() };
}

test('a statement with parameters is prepared once and reused with other values', async () => {
  await using connection = await openOneConnection();
  const double = async (number: number) => {
    const { rows } = await sql<{ two: number }>`SELECT ${number}::int * 2 AS two`.execute(
      connection.database,
    );
    return rows[0]?.two;
  };
  expect([await double(1), await double(21)]).toEqual([2, 42]);
  expect(await connection.names()).toHaveLength(1);
});

test('statements without parameters are not prepared', async () => {
  await using connection = await openOneConnection();
  await connection.database
    .transaction()
    .execute((transaction) => sql`SELECT 1`.execute(transaction));
  expect(await connection.names()).toEqual([]);
});

/** Runs work in a transaction on one connection. @returns the texts that were sent to PostgreSQL */
async function recordTexts(work: (transaction: Transaction) => Promise<unknown>) {
  const { databaseUrl } = await openTestApp();
  const pool = openPool(databaseUrl, 1);
  await using database = databaseOf(pool);
  const client = await pool.connect();
  const query = vi.spyOn(client, 'query');
  client.release();
  await database
    .transaction()
    .execute(work)
    .catch(() => {});
  return query.mock.calls.map(([what]) => Object(what).text ?? what);
}

test.each([
  ['with the first statement', (one) => sql`SELECT 1`.execute(one), ['begin; SELECT 1', 'commit']],
  [
    'before a first statement with parameters',
    (one) => sql`SELECT ${1}::int`.execute(one),
    ['begin', 'SELECT $1::int', 'commit'],
  ],
  [
    'with a first statement that fails',
    (one) => sql`SELECT 1/0`.execute(one),
    ['begin; SELECT 1/0', 'rollback'],
  ],
  ['not for a transaction without statements', async () => {}, []],
] satisfies [string, (transaction: Transaction) => Promise<unknown>, string[]][])(
  'BEGIN is sent %s',
  async (_when, work, texts) => {
    expect(await recordTexts(work)).toEqual(texts);
  },
);

test('a statement has the same name on every connection, so a pooler can share it', async () => {
  await using one = await openOneConnection();
  await using other = await openOneConnection();
  for (const { database } of [one, other]) await sql`SELECT ${1}::int`.execute(database);
  const [names, others] = [await one.names(), await other.names()];
  expect(names).toEqual(others);
  expect(names).toHaveLength(1);
});

test('at most 200 statements are prepared; the others run unprepared', async () => {
  await using connection = await openOneConnection();
  for (let count = 0; count < 205; count += 1) {
    const { rows } = await sql<{ value: number }>`
      SELECT ${count}::int AS value, ${sql.lit(count)} AS another
    `.execute(connection.database);
    expect(rows[0]?.value).toBe(count);
  }
  expect(await connection.names()).toHaveLength(200);
});
