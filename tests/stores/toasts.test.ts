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
  showErrorToast('Lost.', 'No connection.');
  showSuccessToast('Saved.', 'Your hours.');
  vi.advanceTimersByTime(9_999);
  expect(titles()).toEqual(['Lost.', 'Saved.']);
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

test('a toast replaces an equal one and an earlier success, unless that has an action or a link', () => {
  const undo = { label: 'Undo', run: () => {} };
  showSuccessToast('Saved.', 'Your name.');
  showErrorToast('Lost.', 'No connection.');
  showErrorToast('Lost.', 'No connection.');
  showSuccessToast('Email sent.', 'Open the link.');
  showSuccessToast('Cancelled.', 'Your email stays.');
  showSuccessToast('Deleted.', 'A design.', undo);
  showSuccessToast('Deleted.', 'A design.', undo);
  showSuccessToast('Moved.', 'To Monday.', null, { label: 'Write to Rosa', href: '/' });
  showSuccessToast('Saved.', 'Your hours.');
  expect(titles()).toEqual(['Lost.', 'Deleted.', 'Deleted.', 'Moved.', 'Saved.']);
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
