import { expect, test } from 'vitest';
import { isMailboxProven, markMailboxProven } from '#server/database/mailboxes.ts';
import { addArtist, withRollback } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const NOW = Date.parse('2030-06-03T12:00:00Z');

test('a mailbox is proven in all its spellings once its owner used a mailed link', async () => {
  const { database } = await openTestApp();
  await withRollback(database, async (transaction) => {
    expect(await isMailboxProven(transaction, 'rosa@gmail.com')).toBe(false);
    await markMailboxProven(transaction, 'Ro.sa+ink@googlemail.com', NOW);
    await markMailboxProven(transaction, 'rosa@gmail.com', NOW);
    expect(await isMailboxProven(transaction, 'r.osa@gmail.com')).toBe(true);
    expect(await isMailboxProven(transaction, 'rosa@example.com')).toBe(false);
  });
});

test('the email of an artist is a proven mailbox once the artist has proven it', async () => {
  const { database } = await openTestApp();
  const proven = await addArtist(database);
  const unproven = await addArtist(database, { email_proven_at: null });
  expect(await isMailboxProven(database, proven.email.toUpperCase())).toBe(true);
  expect(await isMailboxProven(database, unproven.email)).toBe(false);
});
