import { expect, test, vi } from 'vitest';
import { loadDatabaseTime } from '#server/database/clock.ts';
import { openTestApp } from '#support/test_app.ts';

test('the database clock is read in milliseconds since 1970', async () => {
  const { database } = await openTestApp();
  const before = Date.now();
  // The database of the tests runs on this machine.
  expect(await loadDatabaseTime(database)).toBeGreaterThanOrEqual(before - 1);
  expect(await loadDatabaseTime(database)).toBeLessThanOrEqual(Date.now() + 1);
});

test('the database clock advances within a transaction', async () => {
  const { database } = await openTestApp();
  await database.transaction().execute(async (transaction) => {
    const began = await loadDatabaseTime(transaction);
    await vi.waitFor(async () =>
      expect(await loadDatabaseTime(transaction)).toBeGreaterThan(began),
    );
  });
});
