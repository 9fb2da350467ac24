import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import {
  isDatabaseUnavailable,
  isMissingReference,
  openDatabase,
  violatedConstraint,
} from '#server/database/connect.ts';
import { errorCode } from '#server/database/error_code.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addArtist, addDesign, addService } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const rejectionOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('It did not fail'),
    (error: unknown) => error,
  );
const errorWithCode = (code: string) => Object.assign(new Error('A failure'), { code });

test('dates are read as text, and instants as Date', async () => {
  const { database } = await openTestApp();
  const { rows } = await sql<{ day: unknown; at: unknown }>`
    SELECT date '2026-03-08' AS day, timestamptz '2026-03-08T05:00:00Z' AS at
  `.execute(database);
  expect(rows).toEqual([{ day: '2026-03-08', at: new Date('2026-03-08T05:00:00Z') }]);
});

test('a statement that is planned while its table is nearly empty uses an index: its plan stays while the table grows', async () => {
  const { database } = await openTestApp();
  const { rows } = await sql<object>`
    EXPLAIN (GENERIC_PLAN) SELECT FROM studios WHERE id = $1`.execute(database);
  expect(JSON.stringify(rows)).toContain('Index Only Scan using studios_pkey');
});

test('violatedConstraint returns the name of a violated unique index', async () => {
  const { database } = await openTestApp();
  const { username } = await addArtist(database);
  const error = await rejectionOf(
    addArtist(database, { username, email: 'somebody.else@example.com' }),
  );
  expect([errorCode(error), violatedConstraint(error)]).toEqual(['23505', 'artists_username']);
  expect(violatedConstraint(new Error('A failure'))).toBeUndefined();
});

test('isMissingReference distinguishes a missing parent row from a row that is still referenced', async () => {
  const { database, artist } = await openArtistContext();
  const { imageId } = await addDesign(database, artist);
  const unknown = { ...artist, id: crypto.randomUUID() };
  expect(isMissingReference(await rejectionOf(addService(database, unknown)))).toBe(true);
  const inUse = await rejectionOf(
    database.deleteFrom('images').where('id', '=', imageId).execute(),
  );
  expect([errorCode(inUse), isMissingReference(inUse)]).toEqual(['23503', false]);
});

test('isDatabaseUnavailable distinguishes an unreachable database from a wrong query', async () => {
  const { database } = await openTestApp();
  const unreachable = openDatabase('postgresql://nobody@127.0.0.1:1/nothing', 1);
  const down = await rejectionOf(sql`SELECT 1`.execute(unreachable));
  await unreachable.destroy();
  const wrong = await rejectionOf(sql`SELECT * FROM nowhere`.execute(database));
  expect([isDatabaseUnavailable(down), isDatabaseUnavailable(wrong)]).toEqual([true, false]);
});

test.each(['57P01', '57014', '53300', '3D000', '08006', 'ECONNRESET', 'ETIMEDOUT'])(
  'the error code %s means that the database is unavailable',
  (code) => expect(isDatabaseUnavailable(errorWithCode(code))).toBe(true),
);

test('a query that timed out (query_timeout) counts as an unavailable database, and its connection is not reused', async () => {
  const { databaseUrl } = await openTestApp();
  const database = openDatabase(databaseUrl, 1, { query_timeout: 2000 });
  onTestFinished(() => database.destroy());
  const error = await rejectionOf(sql`SELECT pg_sleep(30)`.execute(database));
  expect([String(error), isDatabaseUnavailable(error)]).toEqual([
    'Error: Query read timeout',
    true,
  ]);
  const { rows } = await sql`SELECT 1 AS one`.execute(database);
  expect(rows).toEqual([{ one: 1 }]);
});
