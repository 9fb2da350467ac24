import { expect, test } from 'vitest';
import { createBoundedRead } from '#server/metrics/bounded_read.ts';

const LIMITS = { maxAgeMs: 60_000, timeoutMs: 20 };

test('a value is read once while it is fresh, also by readers at the same time, and then again', async () => {
  let reads = 0;
  const read = createBoundedRead(async () => (reads += 1), LIMITS);
  expect(await Promise.all([read(), read()])).toMatchObject([{ value: 1 }, { value: 1 }]);
  expect(await read()).toMatchObject({ value: 1 });
  const always = createBoundedRead(async () => (reads += 1), { ...LIMITS, maxAgeMs: 0 });
  expect([await always(), await always()]).toMatchObject([{ value: 2 }, { value: 3 }]);
});

test('a source that fails is reported as failed, and asked again', async () => {
  let reads = 0;
  const read = createBoundedRead(async () => {
    reads += 1;
    if (reads === 1) throw new Error('The database is gone');
    return reads;
  }, LIMITS);
  expect(await read()).toBeUndefined();
  expect(await read()).toMatchObject({ value: 2 });
});

test('a source that hangs is reported as failed, and is not asked again before it has answered', async () => {
  const hanging = Promise.withResolvers<number>();
  let reads = 0;
  const read = createBoundedRead(() => {
    reads += 1;
    return hanging.promise;
  }, LIMITS);
  expect(await Promise.all([read(), read()])).toEqual([undefined, undefined]);
  expect(await read()).toBeUndefined();
  expect(reads).toBe(1);
  hanging.resolve(7);
  await expect.poll(read).toMatchObject({ value: 7 });
});
