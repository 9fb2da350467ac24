import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DAY_MS } from '#domain/time/time.ts';
import * as errors from '#server/database/server_errors.ts';
import { openTestApp } from '#support/test_app.ts';

const PAGE = { skip: 0, limit: 10 };
const NOW = Date.now();

function errorOf(changes: Partial<errors.ServerErrorRecord> = {}): errors.ServerErrorRecord {
  return {
    happenedAt: NOW,
    requestId: 'abc-1',
    route: 'GET /[username]',
    status: 500,
    name: 'TypeError',
    code: null,
    message: 'No such field',
    stack: 'at one\nat two',
    ...changes,
  };
}

test('errors are listed newest first, and found by a part of the request’s id or the route', async () => {
  const { database } = await openTestApp({ database: 'own' });
  await errors.insertServerErrors(database, []);
  await errors.insertServerErrors(database, [
    errorOf({ happenedAt: NOW - 1000 }),
    errorOf({ requestId: 'ABC-2', route: 'POST /api/v1/designs' }),
    errorOf({ requestId: null, status: null, route: 'job export', happenedAt: NOW - 2000 }),
  ]);
  const routesOf = async (search?: string) =>
    (await errors.searchServerErrors(database, search, PAGE)).rows.map(({ route }) => route);
  expect(await routesOf()).toEqual(['POST /api/v1/designs', 'GET /[username]', 'job export']);
  expect(await routesOf('abc-2')).toEqual(['POST /api/v1/designs']);
  expect(await routesOf('abc')).toEqual(['POST /api/v1/designs', 'GET /[username]']);
  expect(await routesOf('EXPORT')).toEqual(['job export']);
  expect(await routesOf('%')).toEqual([]);
});

test('errors of long ago are deleted, and all but the newest thousand', async () => {
  const { database } = await openTestApp({ database: 'own' });
  await errors.insertServerErrors(database, [
    errorOf({ happenedAt: NOW - 3 * DAY_MS, requestId: 'old' }),
    errorOf({ requestId: 'excess' }),
  ]);
  await sql`
    INSERT INTO server_errors (request_id, route, name, message, stack)
    SELECT 'many', 'GET /', 'Error', '', '' FROM generate_series(1, 1000)`.execute(database);
  await errors.deleteOldServerErrors(database, NOW - 2 * DAY_MS);
  const { rows, count } = await errors.searchServerErrors(database, undefined, PAGE);
  expect(count).toBe(1000);
  expect(rows[0]?.request_id).toBe('many');
  expect((await errors.searchServerErrors(database, 'excess', PAGE)).count).toBe(0);
  await errors.deleteOldServerErrors(database, NOW - 2 * DAY_MS);
  expect((await errors.searchServerErrors(database, undefined, PAGE)).count).toBe(1000);
});
