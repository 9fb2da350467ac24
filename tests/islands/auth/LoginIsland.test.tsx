import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import LoginIsland from '#islands/auth/LoginIsland.tsx';
import { $token, endSession, startSession } from '#stores/session.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';

let respond: (call: ApiCall) => Response | 'lost' | object;
let navigate: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  respond = () => ({ access_token: 'one', token_type: 'bearer', device_token: 'known' });
  stubApi((call) => respond(call));
  navigate = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

afterEach(() => {
  cleanup();
  history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const email = () => screen.getByLabelText<HTMLInputElement>('Email');
const password = () => screen.getByLabelText<HTMLInputElement>('Password');
const logIn = () => userEvent.click(screen.getByRole('button', { name: 'Log In' }));
const formError = () => document.querySelector('form [role=alert].field-error');

function fill(): void {
  fireEvent.change(email(), { target: { value: 'ines@example.com' } });
  fireEvent.change(password(), { target: { value: 'correct horse' } });
}

test('both fields are required, and the first must be an email', async () => {
  render(<LoginIsland />);
  await logIn();
  await screen.findByText('Username is required');
  screen.getByText('Password is required');
  fireEvent.change(email(), { target: { value: 'ana' } });
  fireEvent.blur(email());
  await screen.findByText('Invalid email address');
});

test('a refused login shows its error, leaves the form filled in and can be repeated', async () => {
  onTestFinished(endSession);
  render(<LoginIsland />);
  fill();
  respond = () => problemResponse(400, 'Incorrect email or password');
  await logIn();
  await waitFor(() => expect(formError()?.textContent).toBe('Incorrect email or password'));
  expect(email().value).toBe('ines@example.com');
  respond = () => ({ access_token: 'one', token_type: 'bearer', device_token: 'known' });
  await logIn();
  await waitFor(() => expect($token.get()).toBe('one'));
  expect(navigate).toHaveBeenCalledWith('/');
});

test('a login with invalid fields or a lost connection shows one error', async () => {
  render(<LoginIsland />);
  fill();
  respond = () => problemResponse(422, [{ type: 'invalid', loc: ['body', 'username'], msg: 'No' }]);
  await logIn();
  await waitFor(() => expect(formError()?.textContent).toBe('Something went wrong'));
  respond = () => 'lost';
  await logIn();
  await waitFor(() => expect(formError()?.textContent).toContain('The connection was lost'));
});

test('the password can be shown and hidden', async () => {
  render(<LoginIsland />);
  fill();
  const show = screen.getByRole('button', { name: 'Show password' });
  expect(password().type).toBe('password');
  await userEvent.click(show);
  expect(password().type).toBe('text');
  await userEvent.click(show);
  expect(password().type).toBe('password');
});

test.each([
  ['/studio/services?from=a%20letter', '/studio/services?from=a%20letter'],
  ['https://elsewhere.example/', '/'],
  ['//elsewhere.example/', '/'],
  ['javascript:alert(1)', '/'],
])('a login at ?next=%s redirects to %s', async (next, page) => {
  onTestFinished(endSession);
  history.replaceState(null, '', `/login?next=${encodeURIComponent(next)}`);
  render(<LoginIsland />);
  fill();
  await logIn();
  await waitFor(() => expect(navigate).toHaveBeenCalledWith(page));
});

test('a logged-in artist is redirected to the home page', () => {
  onTestFinished(endSession);
  startSession('one');
  render(<LoginIsland />);
  expect(navigate).toHaveBeenCalledWith('/');
});
