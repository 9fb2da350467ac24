import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import RecoverPasswordIsland from '#islands/auth/RecoverPasswordIsland.tsx';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { toastTexts } from '#support/fake_schedule_api.ts';
import { input, press, type } from '#support/fake_studio_api.ts';

let respond: (call: ApiCall) => Response | 'lost' | object;

beforeEach(() => {
  respond = () => ({ message: 'Password recovery email sent' });
  stubApi((call) => respond(call));
});

test('a failed recovery request shows its error, leaves the email in the form and can be repeated', async () => {
  render(<RecoverPasswordIsland />);
  type('Email', 'ines@example.com');
  respond = () => problemResponse(503, 'A part of the service is down.');
  await press('Continue');
  await screen.findByText('A part of the service is down.');
  expect(toastTexts()).toEqual(['Error A part of the service is down.']);
  expect(input('Email').value).toBe('ines@example.com');
  respond = () => ({ message: 'Password recovery email sent' });
  await press('Continue');
  await screen.findByText('We sent an email with a link to get back into your account.');
  await screen.findByText(/The link works for one hour/);
});
