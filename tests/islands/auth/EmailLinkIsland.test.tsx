import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import EmailLinkIsland from '#islands/auth/EmailLinkIsland.tsx';
import { $token, startSession } from '#stores/session.ts';
import { problemResponse, stubApi } from '#support/fake_api.ts';
import { press } from '#support/fake_studio_api.ts';

test('opening the link changes nothing; the button confirms and leads to the studio', async () => {
  const calls = stubApi(() => ({ message: 'Your email is confirmed.' }));
  history.replaceState(null, '', '/prove-email?token=secret');
  render(<EmailLinkIsland link="prove" />);
  expect([calls, location.search]).toEqual([[], '']);
  await press('Confirm This Email');
  expect(calls).toMatchObject([
    { method: 'POST', path: 'users/prove-email', body: { token: 'secret' } },
  ]);
  const link = await screen.findByRole('link', { name: 'Open Your Studio' });
  expect(link.getAttribute('href')).toBe('/studio');
});

test('an address without a token says that it is not complete', async () => {
  render(<EmailLinkIsland link="prove" />);
  await screen.findByText(/This link is not complete/);
  expect(screen.queryByRole('button', { name: 'Confirm This Email' })).toBeNull();
});

test('a link that no longer works says so after the button, and leaves the login', async () => {
  const calls = stubApi(() => problemResponse(400, 'This link has been used or has run out.'));
  startSession('mine');
  history.replaceState(null, '', '/undo-email-change?token=secret');
  render(<EmailLinkIsland link="undo" />);
  expect([calls, location.search]).toEqual([[], '']);
  await press('Undo the Change');
  expect(calls).toMatchObject([
    { method: 'POST', path: 'users/undo-email-change', body: { token: 'secret' } },
  ]);
  await screen.findByText('This link has been used or has run out.');
  expect($token.get()).toBe('mine');
});
