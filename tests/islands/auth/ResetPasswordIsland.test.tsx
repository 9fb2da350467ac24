import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import ResetPasswordIsland from '#islands/auth/ResetPasswordIsland.tsx';
import { type ApiCall, problemResponse, stubApi } from '#support/fake_api.ts';

let respond: (call: ApiCall) => Response | 'lost' | object;
let calls: ApiCall[];
let navigate: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  respond = () => ({ message: 'Password updated successfully.', device_token: 'known' });
  calls = stubApi((call) => respond(call));
  navigate = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
});

function openPage(query = '?token=secret'): void {
  history.replaceState(null, '', `/reset-password${query}`);
  render(<ResetPasswordIsland />);
}

async function submitPassword(password: string, confirmation = password): Promise<void> {
  for (const [label, value] of [
    ['New password', password],
    ['Confirm password', confirmation],
  ] as const)
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  await userEvent.click(screen.getByRole('button', { name: 'Reset Password' }));
}

test('a new password is sent with the token of the link, and redirects to the login', async () => {
  openPage();
  await submitPassword('battery staple');
  await waitFor(() => expect(navigate).toHaveBeenCalledWith('/login'));
  expect(calls.map(({ body }) => body)).toEqual([
    { new_password: 'battery staple', token: 'secret' },
  ]);
});

test('a used link shows an error with a link to request a new one', async () => {
  const message = 'This link has been used or has run out. Please ask for a new one.';
  openPage();
  respond = () => problemResponse(400, message);
  await submitPassword('a third password');
  const link = await screen.findByRole('link', { name: 'Ask for a new link' });
  expect(link.getAttribute('href')).toBe('/recover-password');
  // In place of the form, and as a toast.
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    message,
    expect.stringMatching(/^Error/),
  ]);
  expect(screen.queryByLabelText('New password')).toBeNull();
  expect(sessionStorage.length).toBe(0);
});

test('a link without a token shows an error with a link to request a new one', () => {
  openPage('');
  expect(screen.getByText(/This link is not complete\./)).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Ask for a new link' });
  expect(link.getAttribute('href')).toBe('/recover-password');
});
