// @vitest-environment happy-dom

import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import RequestIsland from '#islands/booking/RequestIsland.tsx';
import { $toasts } from '#stores/toasts.ts';
import { ANA, APPOINTMENT_ID, fakeBookingApi, problemResponse } from '#support/fake_api.ts';

const DESIGN_ID = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0d01';
const bo = { ...ANA, username: 'bo', scheduling_type: 'managed' as const };

let api: ReturnType<typeof fakeBookingApi>;
let leftFor: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  api = fakeBookingApi();
  leftFor = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
});

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  $toasts.set([]);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function open(designId: string | null = DESIGN_ID) {
  render(<RequestIsland artist={bo} designId={designId} />);
  return userEvent.setup();
}

const save = () => screen.getByRole('button', { name: 'Save' });

it('a request goes out with its design and without a time', async () => {
  const user = open();
  await user.type(screen.getByLabelText(/^Email/), 'rosa@example.com');
  await user.click(save());
  await waitFor(() => expect(leftFor).toHaveBeenCalledWith(`/bo/confirmation/${APPOINTMENT_ID}/`));
  const [request] = api.requests();
  expect(request?.path).toBe('appointments/request/design');
  expect(request?.body).toMatchObject({ design_id: DESIGN_ID, email: 'rosa@example.com' });
  expect(request?.body).not.toHaveProperty('start');
});

it('an email alone makes a request, also without a design', async () => {
  const user = open(null);
  await user.type(screen.getByLabelText(/^Email/), 'rosa@example.com');
  await user.click(save());
  await waitFor(() => expect(leftFor).toHaveBeenCalledWith(`/bo/confirmation/${APPOINTMENT_ID}/`));
  expect(api.requests()[0]?.body).toMatchObject({ design_id: null, email: 'rosa@example.com' });
});

it('a request is retried under the same key, also after a reload', async () => {
  const user = open();
  api.answerNext('lost');
  await user.type(screen.getByLabelText(/^Email/), 'rosa@example.com');
  await user.click(save());
  await screen.findByText(/safe to try again/);
  cleanup();
  const later = open();
  expect(screen.getByDisplayValue('rosa@example.com')).toBeTruthy();
  await later.click(save());
  await waitFor(() => expect(leftFor).toHaveBeenCalled());
  const [first, second] = api.requests();
  expect(first?.idempotencyKey).toBeTruthy();
  expect(second?.idempotencyKey).toBe(first?.idempotencyKey);
});

it('a refused request is told, and what was typed stays', async () => {
  const user = open();
  api.answerNext(problemResponse(409, 'This artist is not taking bookings now.'));
  await user.type(screen.getByLabelText(/^Email/), 'rosa@example.com');
  await user.click(save());
  await screen.findByText('This artist is not taking bookings now.');
  expect(screen.getByLabelText<HTMLInputElement>(/^Email/).value).toBe('rosa@example.com');
  expect(leftFor).not.toHaveBeenCalled();
});

it('a wrong email is told as the field is left', async () => {
  const user = open();
  await user.type(screen.getByLabelText(/^Email/), 'rosa@');
  await user.tab();
  expect(await screen.findByText('Invalid email address')).toBeTruthy();
});

it('Cancel returns to the artist and forgets what was typed', async () => {
  const user = open();
  await user.type(screen.getByLabelText('First name'), 'Rosa');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(leftFor).toHaveBeenCalledWith('/bo/');
  cleanup();
  open();
  expect(screen.getByLabelText<HTMLInputElement>('First name').value).toBe('');
  expect(save().hasAttribute('disabled')).toBe(true);
});
