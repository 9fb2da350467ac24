import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { Toasts } from '#islands/toasts/Toasts.tsx';
import { $toasts, showErrorToast, showSuccessToast } from '#stores/toasts.ts';

beforeEach(() => {
  vi.useFakeTimers();
  render(<Toasts />);
});

it('success toasts appear in the status region and errors in the alert region, which exist before', () => {
  const [status, alert] = [screen.getByRole('status'), screen.getByRole('alert')];
  act(() => {
    showErrorToast('Something went wrong.', 'Not done.');
    showSuccessToast('Success!', 'Done.');
  });
  expect(status.textContent).toContain('Done.');
  expect(alert.textContent).toContain('Something went wrong.Not done.');
});

it('a success toast stays open while it has focus', () => {
  act(() => showSuccessToast('Success!', 'Done.'));
  fireEvent.focus(screen.getByRole('button', { name: /Close/ }));
  act(() => vi.advanceTimersByTime(60_000));
  expect(screen.getByText('Done.')).toBeTruthy();
});

it('Escape closes the newest toast', () => {
  act(() => {
    showErrorToast('First', 'one');
    showErrorToast('Second', 'two');
  });
  fireEvent.keyDown(document, { key: 'Escape' });
  expect($toasts.get().map(({ title }) => title)).toEqual(['First']);
});

it('the action of a toast runs once and closes it', () => {
  const undo = vi.fn();
  act(() => showSuccessToast('Deleted.', 'Small flash', { label: 'Undo', run: undo }));
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledOnce();
  expect($toasts.get()).toEqual([]);
});
