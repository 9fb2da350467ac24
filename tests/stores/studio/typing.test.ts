import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenTypingPauses } from '#stores/studio/typing.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('only the last text is applied, 300 ms after it was typed', () => {
  const apply = vi.fn();
  const type = whenTypingPauses(apply);
  type('Ro');
  vi.advanceTimersByTime(299);
  type('Rosa');
  vi.advanceTimersByTime(299);
  expect(apply).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(apply.mock.calls).toEqual([['Rosa']]);
});
