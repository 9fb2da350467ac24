import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import LoginIsland from '#islands/auth/LoginIsland.tsx';
import RecoverPasswordIsland from '#islands/auth/RecoverPasswordIsland.tsx';
import ResetPasswordIsland from '#islands/auth/ResetPasswordIsland.tsx';
import SignupIsland from '#islands/auth/SignupIsland.tsx';

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
