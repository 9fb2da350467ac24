import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  $toasts,
  closeNewestToast,
  closeToast,
  holdToast,
  releaseToast,
  tellError,
  tellFromLastPage,
  tellSuccess,
  tellSuccessOnNextPage,
} from '#stores/toasts.ts';

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
});

afterEach(() => {
  $toasts.set([]);
  vi.useRealTimers();
});

const titles = () => $toasts.get().map(({ title }) => title);

test('a success closes by itself after ten seconds, an error stays', () => {
  tellSuccess('Saved.', 'Your hours.');
  tellError('Lost.', 'No connection.');
  vi.advanceTimersByTime(9_999);
  expect(titles()).toEqual(['Saved.', 'Lost.']);
  vi.advanceTimersByTime(1);
  expect(titles()).toEqual(['Lost.']);
});

test('a success that is held stays until ten seconds after its release', () => {
  const id = tellSuccess('Saved.', 'Your hours.');
  holdToast(id);
  vi.advanceTimersByTime(60_000);
  expect(titles()).toEqual(['Saved.']);
  releaseToast(id);
  vi.advanceTimersByTime(10_000);
  expect(titles()).toEqual([]);
});

test('releasing an error does not close it', () => {
  tellError('Lost.', 'No connection.');
  releaseToast($toasts.get()[0]?.id ?? 0);
  vi.advanceTimersByTime(60_000);
  expect(titles()).toEqual(['Lost.']);
});

test('the same message replaces the one before, unless that one can be undone', () => {
  const undo = { label: 'Undo', run: () => {} };
  const first = tellSuccess('Saved.', 'Your hours.');
  const second = tellSuccess('Saved.', 'Your hours.', undo);
  const third = tellSuccess('Saved.', 'Your hours.', undo);
  expect($toasts.get().map(({ id }) => id)).toEqual([second, third]);
  expect(first).not.toBe(second);
});

test('toasts are closed by id, or the newest first', () => {
  const first = tellSuccess('One.', '');
  tellSuccess('Two.', '');
  tellSuccess('Three.', '');
  closeToast(first);
  closeNewestToast();
  expect(titles()).toEqual(['Two.']);
  closeNewestToast();
  closeNewestToast();
  expect(titles()).toEqual([]);
});

test('a message for the next page is shown there, once', () => {
  tellSuccessOnNextPage('Account created.', 'Welcome.');
  expect(titles()).toEqual([]);
  tellFromLastPage();
  tellFromLastPage();
  expect(titles()).toEqual(['Account created.']);
  closeNewestToast();
  tellFromLastPage();
  expect(titles()).toEqual([]);
});

test.each(['{', 'null', '[1,2]', '"text"'])('a stored message of %j shows nothing', (stored) => {
  sessionStorage.setItem('linework:toast', stored);
  tellFromLastPage();
  expect(titles()).toEqual([]);
});
