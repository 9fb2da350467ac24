import { expect, test } from 'vitest';
import { ApiError } from '#client/call.ts';
import { attempt } from '#stores/studio/attempt.ts';
import { createQuery } from '#stores/studio/queries.ts';
import { $toasts } from '#stores/toasts.ts';

const toastTitles = () => $toasts.get().map(({ title }) => title);

test('a change that fails shows why until the next one, and what it may have changed is loaded again', async () => {
  let loads = 0;
  const stop = createQuery(['attempts'], async () => {
    loads += 1;
    return loads;
  }).listen(() => {});
  await expect.poll(() => loads).toBe(1);
  const failing = attempt('Not saved.', ['attempts'], () => Promise.reject(new TypeError()));
  expect(await failing).toBe(false);
  expect(toastTitles()).toEqual(['The connection was lost.']);
  await expect.poll(() => loads).toBe(2);
  await attempt('Not saved.', [], () => Promise.reject(new ApiError(409, '', 'Taken.')));
  expect(toastTitles()).toEqual(['Not saved.']);
  expect(await attempt('Not saved.', ['attempts'], async () => {})).toBe(true);
  expect(toastTitles()).toEqual([]);
  stop();
});
