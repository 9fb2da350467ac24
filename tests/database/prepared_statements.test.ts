import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { databaseOf, openDatabase, openPool, type Transaction } from '#server/database/connect.ts';
import { SENT_WITH_NEXT } from '#server/database/prepared_statements.ts';
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

/**
 * Runs work in a transaction on one connection.
 * @returns the texts of the statements, those that were sent together as one text; and the work's error
 */
async function recordTexts(work: (transaction: Transaction) => Promise<unknown>) {
  const { databaseUrl } = await openTestApp();
  const pool = openPool(databaseUrl, 1);
  await using database = databaseOf(pool);
  const client = await pool.connect();
  const batches: string[][] = [];
  let isNewBatch = true;
  const { query } = client;
  vi.spyOn(client, 'query').mockImplementation((...args: unknown[]) => {
    const [what] = args;
    if (isNewBatch) batches.push([]);
    batches.at(-1)?.push(Object(what).text ?? what);
    isNewBatch = false;
    queueMicrotask(() => {
      isNewBatch = true;
    });
    return Reflect.apply(query, client, args);
  });
  client.release();
  const running = database.transaction().execute(work);
  const error: unknown = await running.then(
    () => undefined,
    (thrown) => thrown,
  );
  return { texts: batches.map((batch) => batch.join(' & ')), error };
}

const later = (text: ReturnType<typeof sql>) => sql`${text}${sql.raw(SENT_WITH_NEXT)}`;

test.each([
  ['with the first statement', (one) => sql`SELECT 1`.execute(one), ['begin; SELECT 1', 'commit']],
  [
    'with a first statement with parameters',
    (one) => sql`SELECT ${1}::int`.execute(one),
    ['begin & SELECT $1::int', 'commit'],
  ],
  [
    'with a first statement that fails',
    (one) => sql`SELECT 1/0`.execute(one),
    ['begin; SELECT 1/0', 'rollback'],
  ],
  ['not for a transaction without statements', async () => {}, []],
  [
    'not when the work fails before a statement',
    async (one) => {
      await later(sql`SELECT 1`).execute(one);
      throw new Error('Fails');
    },
    [],
  ],
] satisfies [string, (transaction: Transaction) => Promise<unknown>, string[]][])(
  'BEGIN is sent %s',
  async (_when, work, texts) => {
    expect((await recordTexts(work)).texts).toEqual(texts);
  },
);

test('a statement whose result nobody needs is sent with the next one, or with COMMIT', async () => {
  const { texts, error } = await recordTexts(async (one) => {
    await later(sql`CREATE TEMP TABLE numbers (number int PRIMARY KEY)`).execute(one);
    await later(sql`INSERT INTO numbers VALUES (${1}::int)`).execute(one);
    const { rows } = await sql`SELECT number FROM numbers`.execute(one);
    expect(rows).toEqual([{ number: 1 }]);
    await later(sql`SELECT 2`).execute(one);
  });
  expect(error).toBeUndefined();
  expect(texts.map((text) => text.replaceAll(SENT_WITH_NEXT, ''))).toEqual([
    'begin & CREATE TEMP TABLE numbers (number int PRIMARY KEY) & INSERT INTO numbers VALUES ($1::int) & SELECT number FROM numbers',
    'SELECT 2 & commit',
  ]);
});

test.each([
  ['the next statement', (one) => sql`SELECT ${1}::int`.execute(one)],
  ['COMMIT', async () => {}],
] satisfies [string, (transaction: Transaction) => Promise<unknown>][])(
  'an error of a statement that is sent with %s fails the transaction',
  async (_next, next) => {
    const { error } = await recordTexts(async (one) => {
      await later(sql`SELECT 1 / ${0}::int`).execute(one);
      await next(one);
    });
    expect(error).toMatchObject({ message: 'division by zero' });
  },
);

test('outside of a transaction, each statement is sent at once', async () => {
  await using connection = await openOneConnection();
  const { rows } = await later(sql`SELECT ${1}::int AS one`).execute(connection.database);
  expect(rows).toEqual([{ one: 1 }]);
});

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
