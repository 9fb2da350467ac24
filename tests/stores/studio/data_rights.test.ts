import { expect, onTestFinished, test, vi } from 'vitest';
import type { Export } from '#contract/export.ts';
import { startSession } from '#stores/session.ts';
import { $exports } from '#stores/studio/data_rights.ts';
import { stubApi } from '#support/fake_api.ts';
import { toListed } from '#support/fake_schedule_api.ts';

const WAITING: Export = {
  id: 'one',
  state: 'waiting',
  done: 0,
  total: 0,
  created_at: '2026-12-01T12:00:00Z',
  expires_at: null,
  size: null,
  url: null,
};

test('the progress is loaded while an export runs and the page is visible', async () => {
  vi.useFakeTimers();
  let listed = [WAITING];
  const calls = stubApi(() => toListed(...listed));
  startSession('token');
  onTestFinished($exports.listen(() => {}));
  await vi.advanceTimersByTimeAsync(100);
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(calls).toHaveLength(2);
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await vi.advanceTimersByTimeAsync(6000);
  expect(calls).toHaveLength(2);
  visibility.mockReturnValue('visible');
  listed = [{ ...WAITING, state: 'ready' }];
  await vi.advanceTimersByTimeAsync(2000);
  expect($exports.get().data?.data).toEqual(listed);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(calls).toHaveLength(3);
});
