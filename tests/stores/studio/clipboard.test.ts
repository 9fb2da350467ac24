import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { copyText } from '#stores/studio/clipboard.ts';
import { $toasts } from '#stores/toasts.ts';
import { toastTexts } from '#support/fake_schedule_api.ts';

beforeEach(() => $toasts.set([]));
afterEach(() => vi.restoreAllMocks());

test('copyText writes the text to the clipboard', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  expect(await copyText('https://book.example.com/ana')).toBe(true);
  expect(write).toHaveBeenCalledWith('https://book.example.com/ana');
  expect(toastTexts()).toEqual([]);
});

test('when the clipboard is forbidden a toast shows the text to copy by hand', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(
    new DOMException('Denied', 'NotAllowedError'),
  );
  expect(await copyText('https://book.example.com/ana')).toBe(false);
  expect(toastTexts()).toEqual([
    'It could not be copied. Copy it by hand: https://book.example.com/ana',
  ]);
});
