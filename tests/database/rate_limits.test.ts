import { expect, test } from 'vitest';
import type { CountedEvent } from '#domain/requests/limits.ts';
import { addToCounts, takeFromCounts } from '#server/database/rate_limits.ts';
import { openTestApp } from '#support/test_app.ts';

const periodMs = 60_000;

test('an event counts once for each limit and causer, and may be taken back', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const byRosa: CountedEvent = { counted: 'moves', causer: 'rosa', most: 3, periodMs };
  const fromHere: CountedEvent = { counted: 'calls', causer: 'here', most: 3, periodMs };
  const count = async (events: readonly CountedEvent[]) =>
    Object.fromEntries(
      (await addToCounts(database, events)).map((row) => [row.counted, row.count]),
    );
  expect(await count([byRosa, fromHere])).toEqual({ moves: 1, calls: 1 });
  expect(await count([fromHere])).toEqual({ calls: 2 });
  expect(await count([{ ...fromHere, causer: 'elsewhere' }])).toEqual({ calls: 1 });
  // Not below nothing.
  for (let n = 0; n < 2; n += 1) await takeFromCounts(database, [fromHere, byRosa]);
  expect(await count([fromHere, byRosa])).toEqual({ calls: 1, moves: 1 });
  // A period that is over begins again.
  const short = { ...byRosa, counted: 'short', periodMs: -1 };
  for (let n = 0; n < 2; n += 1) expect(await count([short])).toEqual({ short: 1 });
});

test('an event beyond one of its limits counts for none of them, not even for a moment', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const ofNetwork: CountedEvent = { counted: 'network', causer: 'here', most: 2, periodMs };
  const ofAccount: CountedEvent = { counted: 'account', causer: 'rosa', most: 10, periodMs };
  for (let n = 0; n < 2; n += 1) await addToCounts(database, [ofNetwork]);
  const refused = { counted: 'network', count: 3, isCounted: false };
  for (let n = 0; n < 2; n += 1)
    expect(await addToCounts(database, [ofNetwork, ofAccount])).toMatchObject([refused]);
  const keys = await database.selectFrom('rate_limits').select('points').execute();
  expect(keys).toEqual([{ points: 2 }]);
});

test('events at the same time, in any order of their limits, all count', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const events = ['a', 'b', 'c'].map((counted) => ({ counted, causer: 'x', most: 99, periodMs }));
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      addToCounts(database, n % 2 ? events : events.toReversed()),
    ),
  );
  for (const { count } of await addToCounts(database, events)) expect(count).toBe(21);
});
