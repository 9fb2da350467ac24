import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hashKey, hashMailbox } from '#server/database/hashed_keys.ts';
import { withRollback } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

test('all spellings of one mailbox have one hash, which does not contain the email', () => {
  const hash = hashMailbox('Ro.sa+ink@gmail.com');
  expect(hash).toBe(hashMailbox('rosa@googlemail.com'));
  expect(hash).not.toBe(hashMailbox('rosa@example.com'));
  expect(hash).toMatch(/^[\w-]{22}$/);
});

test('a hash is the one that the migration of older rows has computed', async () => {
  const { database } = (await openTestContext()).context;
  const file = new URL('../../src/server/database/migrations/0016_privacy.sql', import.meta.url);
  const [, createFunction = ''] =
    /^(CREATE FUNCTION pg_temp\.hash_key[\s\S]*?^\$\$;)/m.exec(await readFile(file, 'utf8')) ?? [];
  await withRollback(database, async (transaction) => {
    await sql.raw(createFunction).execute(transaction);
    // Enough that some hashes contain the characters in which base64url differs.
    for (const key of ['203.0.113.0/24', 'rosa@example.com', 'ä', ...'abcdefghijklm']) {
      const { rows } = await sql<{ hash: string }>`
        SELECT pg_temp.hash_key(${key}) AS hash
      `.execute(transaction);
      expect(rows[0]?.hash).toBe(hashKey(key));
    }
  });
});
