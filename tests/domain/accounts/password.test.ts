import { expect, test } from 'vitest';
import { isAccountName } from '#domain/accounts/password.ts';

const ANA = { email: 'Ana.Reyes@example.com', username: 'ana_ink' };

test.each([
  ['ana.reyes@EXAMPLE.com', true],
  ['ANA.REYES', true],
  ['Ana_Ink', true],
  ['ana_ink2', false],
  ['example.com', false],
])('%s as the password is the email or the username: %s', (password, expected) => {
  expect(isAccountName(password, ANA)).toBe(expected);
});
