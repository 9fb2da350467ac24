import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import SignupIsland from '#islands/auth/SignupIsland.tsx';
import { endSession, startSession } from '#stores/session.ts';
import { $toasts } from '#stores/toasts.ts';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';
import { ANA_SELF } from '#support/fake_schedule_api.ts';

const ACCOUNT = {
  'Full name': 'Ines Kowal',
  Username: 'ines',
  Email: 'ines@example.com',
  Password: 'correct horse',
  'Confirm password': 'correct horse',
};
const STUDIO = {
  'Studio name': 'Ink & Ivory',
  'Address line 1': '12 Example Street',
  City: 'New York',
  State: 'NY',
  'Zip code': '10002',
};

let answer: (call: ApiCall) => Response | 'lost' | object;
let leftFor: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  answer = () => ANA_SELF;
  stubApi((call) => answer(call));
  leftFor = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

afterEach(() => {
  cleanup();
  history.replaceState(null, '');
  sessionStorage.clear();
  $toasts.set([]);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

function open(): void {
  render(<SignupIsland siteUrl="https://book.example.com" />);
}

function fill(values: Readonly<Record<string, string>>): void {
  for (const [label, value] of Object.entries(values))
    fireEvent.change(input(label), { target: { value } });
}

/** On the second step, with both filled in. */
async function fillBoth(account: Readonly<Record<string, string>> = ACCOUNT): Promise<void> {
  fill(account);
  await press('Next');
  await screen.findByRole('heading', { name: /Your studio/ });
  fill(STUDIO);
}

test('the first step tells what is wrong as each field is left', async () => {
  open();
  for (const [label, typed, message] of [
    ['Full name', ' ', 'Full Name is required'],
    ['Username', '', 'Username is required'],
    ['Username', 'ab', 'Must be at least 3 characters'],
    ['Username', 'login', 'This username is not available'],
    ['Email', '', 'Email is required'],
    ['Email', 'nowhere', 'Invalid email address'],
    ['Password', '', 'Password is required'],
    ['Password', '1234567', 'Password must be at least 8 characters'],
    ['Confirm password', '', 'Password confirmation is required'],
    ['Confirm password', '12345678', 'The passwords do not match'],
  ] as const) {
    fireEvent.change(input(label), { target: { value: typed } });
    fireEvent.blur(input(label));
    await screen.findByText(message);
    expect(input(label).getAttribute('aria-invalid')).toBe('true');
  }
});

test('Next tells everything that is missing, and leads on only once all is right', async () => {
  open();
  await press('Next');
  await screen.findByText('Full Name is required');
  for (const message of [
    'Username is required',
    'Email is required',
    'Password is required',
    'Password confirmation is required',
  ])
    screen.getByText(message);
  expect(document.activeElement).toBe(input('Full name'));
  fill({ ...ACCOUNT, 'Confirm password': 'another horse' });
  await press('Next');
  await screen.findByText('The passwords do not match');
  fill({ Password: 'another horse' });
  await waitFor(() => expect(screen.queryByText('The passwords do not match')).toBeNull());
  await press('Next');
  await screen.findByLabelText('Studio name');
});

test('the second step tells what is wrong, on leaving a field and on Sign Up', async () => {
  open();
  fill(ACCOUNT);
  await press('Next');
  await screen.findByRole('heading', { name: /Your studio/ });
  fireEvent.focus(input('City'));
  fireEvent.blur(input('City'));
  await screen.findByText('City is required');
  const zone = screen.getByRole('combobox', { name: 'Time zone' });
  fireEvent.change(zone, { target: { value: '' } });
  fireEvent.keyDown(zone, { key: 'Escape' });
  await press('Sign Up');
  await screen.findByText('Studio name is required');
  for (const message of [
    'Address is required',
    'City is required',
    'State is required',
    'Zip code is required',
    'Time zone is required',
  ])
    screen.getByText(message);
});

test('a username that is taken is told, and marked on its step', async () => {
  open();
  await fillBoth();
  answer = () => problemResponse(409, 'This username is already taken');
  await press('Sign Up');
  await waitFor(() => expect(input('Username').getAttribute('aria-invalid')).toBe('true'));
  screen.getByRole('heading', { name: /Your account/ });
  expect(screen.getAllByText(/This username is already taken/).length).toBeGreaterThan(0);
  answer = () => ANA_SELF;
  await fillBoth({ ...ACCOUNT, Username: 'ines-2' });
  await press('Sign Up');
  await waitFor(() => expect(leftFor).toHaveBeenCalledWith('/login'));
});

test('a lost connection is told, and what was typed stays', async () => {
  open();
  await fillBoth();
  answer = () => 'lost';
  await press('Sign Up');
  await screen.findByText(/The connection was lost/);
  expect(input('City').value).toBe('New York');
  answer = () => ANA_SELF;
  await press('Sign Up');
  await waitFor(() => expect(leftFor).toHaveBeenCalledWith('/login'));
});

test('password managers are told what each field is', () => {
  open();
  const fields = [...document.querySelectorAll('form input')];
  expect(fields.map((one) => [one.getAttribute('name'), one.getAttribute('autocomplete')])).toEqual(
    [
      ['full_name', 'name'],
      ['username', 'nickname'],
      ['email', 'username'],
      ['password', 'new-password'],
      ['confirm_password', 'new-password'],
    ],
  );
});

test('the page tells the future address', async () => {
  open();
  fill({ Username: 'Rosa_Ink' });
  await screen.findByText('Your page will be book.example.com/rosa_ink');
});

test('an artist who is logged in is led to their home', () => {
  onTestFinished(endSession);
  startSession('one');
  open();
  expect(leftFor).toHaveBeenCalledWith('/');
});
