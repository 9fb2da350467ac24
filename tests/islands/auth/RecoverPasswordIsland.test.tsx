import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import RecoverPasswordIsland from '#islands/auth/RecoverPasswordIsland.tsx';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { toastTexts } from '#support/fake_schedule_api.ts';

let respond: (call: ApiCall) => Response | 'lost' | object;

beforeEach(() => {
  respond = () => ({ message: 'Password recovery email sent' });
  stubApi((call) => respond(call));
});

const email = () => screen.getByLabelText<HTMLInputElement>('Email');
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }));

test('a failed recovery request shows its error, leaves the email in the form and can be repeated', async () => {
  render(<RecoverPasswordIsland />);
  fireEvent.change(email(), { target: { value: 'ines@example.com' } });
  respond = () => problemResponse(503, 'A part of the service is down.');
  await submit();
  await screen.findByText('A part of the service is down.');
  expect(toastTexts()).toEqual(['Error A part of the service is down.']);
  expect(email().value).toBe('ines@example.com');
  respond = () => ({ message: 'Password recovery email sent' });
  await submit();
  await screen.findByText('We sent an email with a link to get back into your account.');
  await screen.findByText(/The link works for one hour/);
});
