import { expect, test } from 'vitest';
import { createConcurrencyLimiter } from '#server/images/concurrency_limiter.ts';

test('at most maxRunning tasks run at once, and waiting tasks start in order', async () => {
  const limit = createConcurrencyLimiter({ maxRunning: 2, maxWaiting: 10 });
  const started: number[] = [];
  const tasks = Array.from({ length: 5 }, () => Promise.withResolvers<string>());
  const done = tasks.map(({ promise }, index) =>
    limit(() => {
      started.push(index);
      return promise;
    }),
  );
  expect(started).toEqual([0, 1]);
  tasks[1]?.resolve('second');
  expect(await done[1]).toBe('second');
  expect(started).toEqual([0, 1, 2]);
  // A failed task frees its slot too.
  tasks[0]?.reject(new Error('first'));
  await expect(done[0]).rejects.toThrow('first');
  expect(started).toEqual([0, 1, 2, 3]);
  for (const { resolve } of tasks) resolve('done');
  await Promise.all(done.slice(2));
  expect(started).toEqual([0, 1, 2, 3, 4]);
  expect(await limit(async () => 'again')).toBe('again');
});

test('a task is rejected as busy when maxWaiting tasks are waiting', async () => {
  const limit = createConcurrencyLimiter({ maxRunning: 1, maxWaiting: 2 });
  const { promise, resolve } = Promise.withResolvers<string>();
  const results = [1, 2, 3].map(() => limit(() => promise));
  await expect(limit(() => promise)).rejects.toThrow('busy');
  resolve('done');
  expect(await Promise.all(results)).toEqual(['done', 'done', 'done']);
  expect(await limit(async () => 'room again')).toBe('room again');
});
