import { render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import LoginIsland from '#islands/auth/LoginIsland.tsx';
import RecoverPasswordIsland from '#islands/auth/RecoverPasswordIsland.tsx';
import ResetPasswordIsland from '#islands/auth/ResetPasswordIsland.tsx';
import SignupIsland from '#islands/auth/SignupIsland.tsx';
import { stubApi } from '#support/fake_api.ts';
import { press, type } from '#support/fake_studio_api.ts';

vi.mock('#islands/auth/form_resolvers.ts', () => {
  throw new Error('The connection was lost');
});

test.each([
  ['login', <LoginIsland key="login" />],
  ['sign-up', <SignupIsland key="signup" siteUrl="https://book.example.com" />],
  ['recovery', <RecoverPasswordIsland key="recovery" />],
  ['reset', <ResetPasswordIsland key="reset" />],
])(
  'a form of %s that is sent before its script runs puts no password into the URL',
  (_name, island) => {
    expect(renderToString(island)).toMatch(/<form [^>]*method="post"/);
  },
);

test('a form whose checks cannot be loaded says so, and is not sent', async () => {
  const calls = stubApi(() => ({}));
  render(<LoginIsland />);
  type('Email', 'ana@example.com');
  type('Password', 'a good password');
  await press('Log In');
  await screen.findByText('This could not be checked. Is there a connection?');
  expect(calls).toEqual([]);
});
