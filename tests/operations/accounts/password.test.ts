import { expect, test } from 'vitest';
import { hashPassword, UNKNOWN_PASSWORD_HASH } from '#server/operations/accounts/password.ts';

test('the hash for unknown emails has the usual parameters, so verifying it takes as long', async () => {
  const [, algorithm, version, parameters] = (await hashPassword('any')).split('$');
  expect(UNKNOWN_PASSWORD_HASH).toContain(`$${algorithm}$${version}$${parameters}$`);
});

test('a password is hashed with argon2id, 19 MiB, two passes and a random salt', async () => {
  const [one, other] = await Promise.all([
    hashPassword('correct horse'),
    hashPassword('correct horse'),
  ]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(other).not.toBe(one);
});
