import { render, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import LoginIsland from '#islands/auth/LoginIsland.tsx';
import { $token, startSession } from '#stores/session.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { input, press, type } from '#support/fake_studio_api.ts';

let respond: (call: ApiCall) => Response | 'lost' | object;
let navigate: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  respond = () => ({ access_token: 'one', token_type: 'bearer', device_token: 'known' });
  stubApi((call) => respond(call));
  navigate = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

const logIn = () => press('Log In');
const formError = () => document.querySelector('form [role=alert].field-error');

function fill(): void {
  type('Email', 'ines@example.com');
  type('Password', 'correct horse');
}

test('a refused login shows its error, leaves the form filled in and can be repeated', async () => {
  render(<LoginIsland />);
  fill();
  respond = () => problemResponse(400, 'Incorrect email or password');
  await logIn();
  await waitFor(() => expect(formError()?.textContent).toBe('Incorrect email or password'));
  expect(input('Email').value).toBe('ines@example.com');
  respond = () => ({ access_token: 'one', token_type: 'bearer', device_token: 'known' });
  await logIn();
  await waitFor(() => expect($token.get()).toBe('one'));
  expect(navigate).toHaveBeenCalledWith('/');
});

test('the password can be shown and hidden', async () => {
  render(<LoginIsland />);
  fill();
  expect(input('Password').type).toBe('password');
  await press('Show password');
  expect(input('Password').type).toBe('text');
  await press('Show password');
  expect(input('Password').type).toBe('password');
});

test('a login redirects to the page that asked for it', async () => {
  history.replaceState(null, '', '/login?next=%2Fstudio%2Fhours');
  render(<LoginIsland />);
  fill();
  await logIn();
  await waitFor(() => expect(navigate).toHaveBeenCalledWith('/studio/hours'));
});

test('a logged-in artist is redirected to the home page', () => {
  startSession('one');
  render(<LoginIsland />);
  expect(navigate).toHaveBeenCalledWith('/');
});
