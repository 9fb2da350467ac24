import { expect, test } from 'vitest';
import { hashMailbox } from '#server/database/hashed_keys.ts';

test('all spellings of one mailbox have one hash, which does not contain the email', () => {
  const hash = hashMailbox('Ro.sa+ink@gmail.com');
  expect(hash).toBe(hashMailbox('rosa@googlemail.com'));
  expect(hash).not.toBe(hashMailbox('rosa@example.com'));
  expect(hash).toMatch(/^[\w-]{22}$/);
});
