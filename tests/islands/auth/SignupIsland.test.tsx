import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import SignupIsland from '#islands/auth/SignupIsland.tsx';
import { type ApiCall, refusalResponse, stubApi } from '#support/fake_api.ts';
import { ANA_SELF } from '#support/fake_schedule_api.ts';
import { input, press } from '#support/fake_studio_api.ts';

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

let respond: (call: ApiCall) => Response | 'lost' | object;
let navigate: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  respond = () => ANA_SELF;
  stubApi((call) => respond(call));
  navigate = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

function openPage(): void {
  render(<SignupIsland siteUrl="https://book.example.com" />);
}

function fill(values: Readonly<Record<string, string>>): void {
  for (const [label, value] of Object.entries(values))
    fireEvent.change(input(label), { target: { value } });
}

/** Fills in both steps and stays on the second. */
async function fillBothSteps(account: Readonly<Record<string, string>> = ACCOUNT): Promise<void> {
  fill(account);
  await press('Next');
  await screen.findByRole('heading', { name: /Your studio/ });
  fill(STUDIO);
}

test('the first step validates each field on blur', async () => {
  openPage();
  for (const [label, value, message] of [
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
    fireEvent.change(input(label), { target: { value } });
    fireEvent.blur(input(label));
    await screen.findByText(message);
    expect(input(label).getAttribute('aria-invalid')).toBe('true');
  }
});

test('Next focuses the first invalid field, and continues only when all fields are valid', async () => {
  openPage();
  await press('Next');
  await screen.findByText('Full Name is required');
  expect(document.activeElement).toBe(input('Full name'));
  fill({ ...ACCOUNT, 'Confirm password': 'another horse' });
  await press('Next');
  await screen.findByText('The passwords do not match');
  fill({ Password: 'another horse' });
  await waitFor(() => expect(screen.queryByText('The passwords do not match')).toBeNull());
  await press('Next');
  await screen.findByLabelText('Studio name');
});

test('a taken username is said while it is typed, a common password when its field is left, and Next waits for both', async () => {
  const taken = 'This username is already taken';
  const common = 'This password is too common';
  const asked: unknown[] = [];
  respond = ({ path, body }) => {
    if (path === 'users/signup/password') asked.push(body['password']);
    if (path === 'users/signup/password')
      return { why: body['password'] === 'password1' ? common : null };
    return { is_free: true, why: path === 'users/names/mika' ? taken : null };
  };
  openPage();
  fireEvent.change(input('Username'), { target: { value: '@Mika' } });
  await screen.findByText(taken);
  screen.getByText('Your page will be book.example.com/mika');
  fill({ ...ACCOUNT, Username: 'mika', Password: 'password1', 'Confirm password': 'password1' });
  fireEvent.blur(input('Password'));
  await screen.findByText(common);
  await press('Next');
  await waitFor(() => expect(document.activeElement).toBe(input('Username')));
  fill({ Username: 'mika.tattoo' });
  await waitFor(() => expect(screen.queryByText(taken)).toBeNull());
  await press('Next');
  await waitFor(() => expect(document.activeElement).toBe(input('Password')));
  for (const beginning of ['correct h', 'correct ho']) fill({ Password: beginning });
  await waitFor(() => expect(screen.queryByText(common)).toBeNull());
  fill({ Password: 'correct horse', 'Confirm password': 'correct horse' });
  await press('Next');
  await screen.findByLabelText('Studio name');
  expect(asked).toEqual(['password1', 'correct horse']);
});

test('a taken username returns to the first step and marks the field', async () => {
  openPage();
  await fillBothSteps();
  respond = () => refusalResponse('username_taken');
  await press('Sign Up');
  await waitFor(() => expect(input('Username').getAttribute('aria-invalid')).toBe('true'));
  screen.getByRole('heading', { name: /Your account/ });
  expect(screen.getAllByText(/This username is already taken/).length).toBeGreaterThan(0);
  respond = () => ANA_SELF;
  await fillBothSteps({ ...ACCOUNT, Username: 'ines-2' });
  await press('Sign Up');
  await waitFor(() => expect(navigate).toHaveBeenCalledWith('/login'));
});

test('the fields have autocomplete values for password managers', () => {
  openPage();
  const fields = [...document.querySelectorAll('form input')];
  expect(
    fields.map((field) => [field.getAttribute('name'), field.getAttribute('autocomplete')]),
  ).toEqual([
    ['full_name', 'name'],
    ['username', 'nickname'],
    ['email', 'username'],
    ['password', 'new-password'],
    ['confirm_password', 'new-password'],
  ]);
});
