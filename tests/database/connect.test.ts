import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import {
  isDatabaseUnavailable,
  isMissingReference,
  isRetryable,
  openDatabase,
  violatedConstraint,
} from '#server/database/connect.ts';
import { errorCode } from '#server/database/error_code.ts';
import { addArtist, addDesign, addService } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('It did not fail'),
    (error: unknown) => error,
  );
const coded = (code: string) => Object.assign(new Error('A failure'), { code });

test('dates are read as text and instants as Date, whatever the machine’s zone is', async () => {
  const { database } = await openTestApp();
  const { rows } = await sql<{ day: unknown; at: unknown }>`
    SELECT date '2026-03-08' AS day, timestamptz '2026-03-08T05:00:00Z' AS at
  `.execute(database);
  expect(rows).toEqual([{ day: '2026-03-08', at: new Date('2026-03-08T05:00:00Z') }]);
});

test('a broken unique index is named', async () => {
  const { database } = await openTestApp();
  const { username } = await addArtist(database);
  const error = await failureOf(
    addArtist(database, { username, email: 'somebody.else@example.com' }),
  );
  expect([errorCode(error), violatedConstraint(error)]).toEqual(['23505', 'artists_username']);
  expect(violatedConstraint(new Error('A failure'))).toBeUndefined();
});

test('a row that refers to nothing is told apart from a row that is still referred to', async () => {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const { imageId } = await addDesign(database, artist);
  const nobody = { ...artist, id: crypto.randomUUID() };
  expect(isMissingReference(await failureOf(addService(database, nobody)))).toBe(true);
  const inUse = await failureOf(database.deleteFrom('images').where('id', '=', imageId).execute());
  expect([errorCode(inUse), isMissingReference(inUse)]).toEqual(['23503', false]);
});

test('deadlocks and serialization failures may be tried again, other errors not', () => {
  expect(['40001', '40P01', '23505'].map((code) => isRetryable(coded(code)))).toEqual([
    true,
    true,
    false,
  ]);
});

test('a database that cannot be reached is told apart from a query that is wrong', async () => {
  const { database } = await openTestApp();
  const nowhere = openDatabase('postgresql://nobody@127.0.0.1:1/nothing', 1);
  const down = await failureOf(sql`SELECT 1`.execute(nowhere));
  await nowhere.destroy();
  const wrong = await failureOf(sql`SELECT * FROM nowhere`.execute(database));
  expect([isDatabaseUnavailable(down), isDatabaseUnavailable(wrong)]).toEqual([true, false]);
});

test.each(['57P01', '57014', '53300', '3D000', '08006', 'ECONNRESET', 'ETIMEDOUT'])(
  'the code %s means that the database is not there now',
  (code) => expect(isDatabaseUnavailable(coded(code))).toBe(true),
);

test('a query that is stuck is stopped, and counts as a database that is down', async () => {
  const { databaseUrl } = await openTestApp();
  const impatient = openDatabase(databaseUrl, 1, { statement_timeout: 50 });
  const error = await failureOf(sql`SELECT pg_sleep(10)`.execute(impatient));
  await impatient.destroy();
  expect([errorCode(error), isDatabaseUnavailable(error)]).toEqual(['57014', true]);
});

test('a connection whose query was never answered in time is not used again', async () => {
  const { databaseUrl } = await openTestApp();
  const database = openDatabase(databaseUrl, 1, { query_timeout: 2000 });
  onTestFinished(() => database.destroy());
  const slow = sql`SELECT pg_sleep(30)`.execute(database);
  await expect(slow).rejects.toThrow('Query read timeout');
  const { rows } = await sql`SELECT 1 AS one`.execute(database);
  expect(rows).toEqual([{ one: 1 }]);
});
