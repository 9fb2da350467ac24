import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#server/database/connect.ts';
import { isReady } from '#server/operations/readiness.ts';
import { openSilentPostgres } from '#support/silent_postgres.ts';
import { openTestContext } from '#support/test_context.ts';

/** Parts on a database that cannot be reached at this address. */
async function contextOn(url: string) {
  const database = openDatabase(url, 1);
  onTestFinished(() => database.destroy());
  return (await openTestContext({ database })).context;
}

test('a server is ready while its database answers', async () => {
  expect(await isReady((await openTestContext()).context)).toBe(true);
});

test('a server is not ready while its database refuses connections', async () => {
  expect(await isReady(await contextOn('postgresql://nobody@127.0.0.1:1/nothing'))).toBe(false);
});

test('a database that says nothing for three seconds counts as down', async () => {
  const context = await contextOn(await openSilentPostgres());
  const before = performance.now();
  expect(await isReady(context)).toBe(false);
  expect(performance.now() - before).toBeGreaterThan(2900);
});
