import { expect, test, vi } from 'vitest';
import { runTogether } from '#server/operations/mail/run_together.ts';

test('calls that come at once share a run; those that come meanwhile share the next one', async () => {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const runs: (readonly number[])[] = [];
  const double = runTogether(async (items: readonly number[]) => {
    runs.push(items);
    started.resolve();
    await ended.promise;
    return new Map(items.map((item) => [item, item * 2]));
  }, vi.fn());
  const first = [double(1), double(2)];
  await started.promise;
  const next = [double(3), double(4)];
  ended.resolve();
  expect(await Promise.all([...first, ...next])).toEqual([2, 4, 6, 8]);
  expect(runs).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test('after an error, which is reported, each item runs alone, so that only the faulty one fails', async () => {
  const run = vi.fn(async (items: readonly number[]) => {
    if (items.includes(2)) throw new Error('No twos');
    return new Map(items.map((item) => [item, 'done']));
  });
  const onError = vi.fn();
  const call = runTogether(run, onError);
  const results = await Promise.allSettled([1, 2, 3].map(call));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(onError.mock.calls).toEqual([[new Error('No twos')]]);
});

test('an item without a result runs again alone', async () => {
  const call = runTogether(async (items: readonly number[]) => {
    const done = items.length === 1 ? items : items.slice(0, 1);
    return new Map(done.map((item) => [item, items.length]));
  }, vi.fn());
  expect(await Promise.all([1, 2, 3].map(call))).toEqual([3, 1, 1]);
});
