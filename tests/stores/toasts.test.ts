import { beforeEach, expect, test, vi } from 'vitest';
import {
  $toasts,
  closeNewestToast,
  showErrorToast,
  showSuccessToast,
  showSuccessToastOnNextPage,
  showToastFromLastPage,
  startToastTimer,
  stopToastTimer,
} from '#stores/toasts.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

const titles = () => $toasts.get().map(({ title }) => title);

test('a success toast closes after ten seconds, an error toast stays', () => {
  showSuccessToast('Saved.', 'Your hours.');
  showErrorToast('Lost.', 'No connection.');
  vi.advanceTimersByTime(9_999);
  expect(titles()).toEqual(['Saved.', 'Lost.']);
  vi.advanceTimersByTime(1);
  expect(titles()).toEqual(['Lost.']);
});

test('a stopped toast timer restarts with the full ten seconds', () => {
  const id = showSuccessToast('Saved.', 'Your hours.');
  stopToastTimer(id);
  vi.advanceTimersByTime(60_000);
  expect(titles()).toEqual(['Saved.']);
  startToastTimer(id);
  vi.advanceTimersByTime(10_000);
  expect(titles()).toEqual([]);
});

test('starting the timer of an error toast does not close it', () => {
  showErrorToast('Lost.', 'No connection.');
  startToastTimer($toasts.get()[0]?.id ?? 0);
  vi.advanceTimersByTime(60_000);
  expect(titles()).toEqual(['Lost.']);
});

test('a toast replaces an equal one, unless that one has an undo action', () => {
  const undo = { label: 'Undo', run: () => {} };
  const first = showSuccessToast('Saved.', 'Your hours.');
  const second = showSuccessToast('Saved.', 'Your hours.', undo);
  const third = showSuccessToast('Saved.', 'Your hours.', undo);
  expect($toasts.get().map(({ id }) => id)).toEqual([second, third]);
  expect(first).not.toBe(second);
});

test('a toast for the next page is shown there once', () => {
  showSuccessToastOnNextPage('Account created.', 'Welcome.');
  expect(titles()).toEqual([]);
  showToastFromLastPage();
  showToastFromLastPage();
  expect(titles()).toEqual(['Account created.']);
  closeNewestToast();
  showToastFromLastPage();
  expect(titles()).toEqual([]);
});

test.each(['{', 'null', '[1,2]', '"text"'])('a stored toast of %j shows nothing', (stored) => {
  sessionStorage.setItem('linework:toast', stored);
  showToastFromLastPage();
  expect(titles()).toEqual([]);
});
