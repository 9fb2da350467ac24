import { expect, test } from 'vitest';
import { attempt } from '#stores/studio/attempt.ts';
import { createQuery } from '#stores/studio/queries.ts';
import { $toasts } from '#stores/toasts.ts';

test('a change that fails shows why, and what it may have changed is loaded again', async () => {
  let loads = 0;
  const stop = createQuery(['attempts'], async () => {
    loads += 1;
    return loads;
  }).listen(() => {});
  await expect.poll(() => loads).toBe(1);
  const failing = attempt('Not saved', ['attempts'], () => Promise.reject(new TypeError()));
  expect(await failing).toBe(false);
  expect($toasts.get().map(({ title }) => title)).toEqual(['Not saved']);
  await expect.poll(() => loads).toBe(2);
  expect(await attempt('Not saved', ['attempts'], async () => {})).toBe(true);
  expect($toasts.get()).toHaveLength(1);
  stop();
});
