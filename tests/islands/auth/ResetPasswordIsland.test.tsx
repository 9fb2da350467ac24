import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import ResetPasswordIsland from '#islands/auth/ResetPasswordIsland.tsx';
import { endSession, startSession } from '#stores/session.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';

let answer: (call: ApiCall) => Response | 'lost' | object;
let calls: ApiCall[];
let leftFor: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  answer = () => ({ message: 'Password updated successfully.' });
  calls = stubApi((call) => answer(call));
  leftFor = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

afterEach(() => {
  cleanup();
  history.replaceState(null, '', '/');
  sessionStorage.clear();
  $toasts.set([]);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function open(query = '?token=secret'): void {
  history.replaceState(null, '', `/reset-password${query}`);
  render(<ResetPasswordIsland />);
}

async function choose(password: string, confirmation = password): Promise<void> {
  for (const [label, value] of [
    ['New password', password],
    ['Confirm password', confirmation],
  ] as const)
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  await userEvent.click(screen.getByRole('button', { name: 'Reset Password' }));
}

test('a new password is judged like the first one', async () => {
  open();
  await choose('');
  await screen.findByText('Password is required');
  await screen.findByText('Password confirmation is required');
  await choose('1234567', '12345678');
  await screen.findByText('Password must be at least 8 characters');
  await screen.findByText('The passwords do not match');
  expect(calls).toEqual([]);
});

test('a new password is set with the token of the link, and leads to the login', async () => {
  open();
  await choose('battery staple');
  await waitFor(() => expect(leftFor).toHaveBeenCalledWith('/login'));
  expect(calls.map(({ body }) => body)).toEqual([
    { new_password: 'battery staple', token: 'secret' },
  ]);
});

test('a link that was used says so and leads to a new one', async () => {
  const words = 'This link has been used or has run out. Please ask for a new one.';
  open();
  answer = () => problemResponse(400, words);
  await choose('a third password');
  const link = await screen.findByRole('link', { name: 'Ask for a new link' });
  expect(link.getAttribute('href')).toBe('/recover-password');
  // In place of the form, and in the corner.
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    words,
    expect.stringMatching(/^Error/),
  ]);
  expect(screen.queryByLabelText('New password')).toBeNull();
});

test('a link without its token says so and leads to a new one', () => {
  open('');
  expect(screen.getByText(/This address is not complete\./)).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Ask for a new link' });
  expect(link.getAttribute('href')).toBe('/recover-password');
});

test('an artist who is logged in is led to their home', () => {
  onTestFinished(endSession);
  startSession('one');
  open();
  expect(leftFor).toHaveBeenCalledWith('/');
});
