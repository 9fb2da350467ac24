import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import RecoverPasswordIsland from '#islands/auth/RecoverPasswordIsland.tsx';
import { endSession, startSession } from '#stores/session.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { toastTexts } from '#support/fake_schedule_api.ts';

let answer: (call: ApiCall) => Response | 'lost' | object;
let calls: ApiCall[];

beforeEach(() => {
  answer = () => ({ message: 'Password recovery email sent' });
  calls = stubApi((call) => answer(call));
});

afterEach(() => {
  cleanup();
  $toasts.set([]);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const email = () => screen.getByLabelText<HTMLInputElement>('Email');
const proceed = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }));

test('asking for a recovery mail needs an email', async () => {
  render(<RecoverPasswordIsland />);
  await proceed();
  await screen.findByText('Email is required');
  fireEvent.change(email(), { target: { value: 'nowhere' } });
  fireEvent.blur(email());
  await screen.findByText('Invalid email address');
  expect(calls).toEqual([]);
});

test('a recovery mail that could not be sent is told, keeps the email and can be tried again', async () => {
  render(<RecoverPasswordIsland />);
  fireEvent.change(email(), { target: { value: 'ines@example.com' } });
  answer = () => problemResponse(503, 'A part of the service is down.');
  await proceed();
  await screen.findByText('A part of the service is down.');
  expect(toastTexts()).toEqual(['Error A part of the service is down.']);
  expect(email().value).toBe('ines@example.com');
  answer = () => ({ message: 'Password recovery email sent' });
  await proceed();
  await screen.findByText('We sent an email with a link to get back into your account.');
  await screen.findByText(/The link works for one hour/);
});

test('an artist who is logged in is led to their home', () => {
  const leftFor = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
  onTestFinished(endSession);
  startSession('one');
  render(<RecoverPasswordIsland />);
  expect(leftFor).toHaveBeenCalledWith('/');
});
