import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import ProveEmailIsland from '#islands/auth/ProveEmailIsland.tsx';
import { stubApi } from '#support/fake_api.ts';

const press = () => userEvent.click(screen.getByRole('button', { name: 'Confirm This Email' }));

test('opening the link changes nothing; the button confirms and leads to the studio', async () => {
  const calls = stubApi(() => ({ message: 'Your email is confirmed.' }));
  history.replaceState(null, '', '/prove-email?token=secret');
  render(<ProveEmailIsland />);
  expect([calls, location.search]).toEqual([[], '']);
  await press();
  expect(calls).toMatchObject([
    { method: 'POST', path: 'users/prove-email', body: { token: 'secret' } },
  ]);
  const link = await screen.findByRole('link', { name: 'Open Your Studio' });
  expect(link.getAttribute('href')).toBe('/studio');
});

test('an address without a token says that it is not complete', async () => {
  render(<ProveEmailIsland />);
  await screen.findByText(/This link is not complete/);
  expect(screen.queryByRole('button', { name: 'Confirm This Email' })).toBeNull();
});
