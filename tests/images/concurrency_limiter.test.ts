import { expect, test } from 'vitest';
import { createConcurrencyLimiter } from '#server/images/concurrency_limiter.ts';

/** Work that ends when it is told to. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { promise, resolve, reject };
}

test('so many run at once, and who waits comes in the order of asking', async () => {
  const inTurn = createConcurrencyLimiter({ atOnce: 2, waiting: 10 });
  const begun: number[] = [];
  const jobs = Array.from({ length: 5 }, work);
  const done = jobs.map(({ promise }, index) =>
    inTurn(() => {
      begun.push(index);
      return promise;
    }),
  );
  expect(begun).toEqual([0, 1]);
  jobs[1]?.resolve('second');
  expect(await done[1]).toBe('second');
  expect(begun).toEqual([0, 1, 2]);
  // A failure makes room like any other end.
  jobs[0]?.reject(new Error('first'));
  await expect(done[0]).rejects.toThrow('first');
  expect(begun).toEqual([0, 1, 2, 3]);
  for (const { resolve } of jobs) resolve('done');
  await Promise.all(done.slice(2));
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect(await inTurn(async () => 'again')).toBe('again');
});

test('when too many are waiting already, the next one is told that it is busy', async () => {
  const inTurn = createConcurrencyLimiter({ atOnce: 1, waiting: 2 });
  const { promise, resolve } = work();
  const served = [1, 2, 3].map(() => inTurn(() => promise));
  await expect(inTurn(() => promise)).rejects.toThrow('busy');
  resolve('done');
  expect(await Promise.all(served)).toEqual(['done', 'done', 'done']);
  expect(await inTurn(async () => 'room again')).toBe('room again');
});
