import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hashKey, hashMailbox } from '#server/database/hashed_keys.ts';
import { openTestContext } from '#support/test_context.ts';

test('all spellings of one mailbox have one hash, which does not contain the email', () => {
  const hash = hashMailbox('Ro.sa+ink@gmail.com');
  expect(hash).toBe(hashMailbox('rosa@googlemail.com'));
  expect(hash).not.toBe(hashMailbox('rosa@example.com'));
  expect(hash).toMatch(/^[\w-]{22}$/);
});

test('a hash is the one that the migration of older rows has computed', async () => {
  const { database } = (await openTestContext()).context;
  // As in 0016_privacy.sql.
  const inSql = async (key: string) => {
    const { rows } = await sql<{ hash: string }>`
      SELECT translate(rtrim(encode(substr(sha256(convert_to(${key}, 'UTF8')), 1, 16), 'base64'),
        '='), '+/', '-_') AS hash
    `.execute(database);
    return rows[0]?.hash;
  };
  // The hashes of these two contain `-` and `_`.
  for (const key of ['203.0.113.0/24', 'rosa@example.com', 'ä', 'key 7', 'key 12'])
    expect(await inSql(key)).toBe(hashKey(key));
});
