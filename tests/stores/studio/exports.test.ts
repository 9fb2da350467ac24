import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Export } from '#contract/export.ts';
import { startSession } from '#stores/session.ts';
import { $exports, exportEverything, isUnfinished, removeExport } from '#stores/studio/exports.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { toastTexts, toListed } from '#support/fake_schedule_api.ts';

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

let listed: Export[];
let answer: (call: ApiCall) => Response | object;
let calls: string[];

beforeEach(() => {
  $toasts.set([]);
  listed = [];
  calls = [];
  answer = () => new Response(null, { status: 204 });
  startSession('token');
  stubApi((call) => {
    calls.push(`${call.method} ${call.path}`);
    return call.method === 'GET' && call.path === 'users/me/exports'
      ? toListed(...listed)
      : answer(call);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('an export that waits or runs is unfinished', () => {
  const states = ['waiting', 'running', 'ready', 'failed'] as const;
  expect(states.filter((state) => isUnfinished({ state }))).toEqual(['waiting', 'running']);
});

test('the progress is loaded while an export runs and the page is visible', async () => {
  vi.useFakeTimers();
  listed = [WAITING];
  const stop = $exports.listen(() => {});
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
  expect($exports.get().data).toEqual(listed);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(calls).toHaveLength(3);
  stop();
});

test('starting an export makes one call, and shows why it was refused', async () => {
  answer = () => WAITING;
  await exportEverything();
  expect([calls, toastTexts()]).toEqual([['POST users/me/exports'], []]);
  answer = () => problemResponse(429, 'Too many. Try again in 60 minutes.');
  await exportEverything();
  expect(toastTexts()).toEqual(['Not exported Too many. Try again in 60 minutes.']);
});

test('deleting an export makes one call, and shows success or the failure', async () => {
  await removeExport(WAITING);
  expect(calls).toEqual(['DELETE users/me/exports/one']);
  answer = () => problemResponse(404, 'Not found');
  await removeExport(WAITING);
  expect(toastTexts()).toEqual([
    'Deleted. Nobody can download this copy any more.',
    'Not deleted Not found',
  ]);
});
