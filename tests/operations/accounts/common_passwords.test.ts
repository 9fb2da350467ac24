import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import {
  COMMON_PASSWORDS_FILE,
  isCommonPassword,
} from '#server/operations/accounts/common_passwords.ts';

test.each(['password', '12345678', 'qwertyuiop', 'iloveyou', 'password1', 'PassWord'])(
  '%s is a common password, in any letter case',
  async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  },
);

test.each(['correct horse', 'battery staple', 'tattoo-demo', 'p4ssw0rd of the ink shop'])(
  '%s is not a common password',
  async (password) => {
    expect(await isCommonPassword(password)).toBe(false);
  },
);

test('the list has 100,000 passwords', async () => {
  const { size } = await stat(COMMON_PASSWORDS_FILE);
  expect(size / 5).toBe(100_000);
});
