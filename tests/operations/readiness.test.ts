import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#server/database/connect.ts';
import { isReady } from '#server/operations/readiness.ts';
import { openSilentPostgres } from '#support/silent_postgres.ts';
import { openTestContext } from '#support/test_context.ts';

async function contextWithDatabase(url: string) {
  const database = openDatabase(url, 1);
  onTestFinished(() => database.destroy());
  return (await openTestContext({ database })).context;
}

test('a server is ready while its database responds', async () => {
  expect(await isReady((await openTestContext()).context)).toBe(true);
});

test('a server is not ready while its database refuses connections', async () => {
  expect(await isReady(await contextWithDatabase('postgresql://nobody@127.0.0.1:1/nothing'))).toBe(
    false,
  );
});

test('a server is not ready when its database does not respond within three seconds', async () => {
  const context = await contextWithDatabase(await openSilentPostgres());
  const before = performance.now();
  expect(await isReady(context)).toBe(false);
  expect(performance.now() - before).toBeGreaterThan(2900);
});
