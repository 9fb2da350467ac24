import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $now } from '#stores/studio/now.ts';

const START = Date.parse('2026-12-01T12:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  // The store is unmounted a second after its last listener.
  vi.advanceTimersByTime(2_000);
});

test('while $now has listeners it updates every 30 seconds', () => {
  const stop = $now.listen(() => {});
  expect($now.get()).toBe(START);
  vi.advanceTimersByTime(29_999);
  expect($now.get()).toBe(START);
  vi.advanceTimersByTime(1);
  expect($now.get()).toBe(START + 30_000);
  stop();
});

test('$now updates when the tab becomes visible again', () => {
  const stop = $now.listen(() => {});
  vi.setSystemTime(START + 3_600_000);
  document.dispatchEvent(new Event('visibilitychange'));
  expect($now.get()).toBe(START + 3_600_000);
  stop();
});
