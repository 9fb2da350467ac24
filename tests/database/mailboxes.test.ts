import { expect, test } from 'vitest';
import { loadMailboxTrust, markMailboxProven } from '#server/database/mailboxes.ts';
import { addArtist, withRollback } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const NOW = Date.parse('2030-06-03T12:00:00Z');
const [ANA, BO] = [crypto.randomUUID(), crypto.randomUUID()];
const STRANGER = { isMailboxProven: false, isKnownToArtist: false };

test('a mailbox is proven in all its spellings, and known to the artist whose link was used', async () => {
  const { database } = await openTestApp();
  await withRollback(database, async (transaction) => {
    const load = (email: string, artistId: string | null) =>
      loadMailboxTrust(transaction, email, artistId);
    expect(await load('rosa@gmail.com', ANA)).toEqual(STRANGER);
    await markMailboxProven(transaction, 'Ro.sa+ink@googlemail.com', ANA, NOW);
    await markMailboxProven(transaction, 'rosa@gmail.com', ANA, NOW);
    const known = { isMailboxProven: true, isKnownToArtist: true };
    expect(await load('r.osa@gmail.com', ANA)).toEqual(known);
    expect(await load('rosa@gmail.com', BO)).toEqual({ ...known, isKnownToArtist: false });
    expect(await load('rosa@gmail.com', null)).toEqual({ ...known, isKnownToArtist: false });
    expect(await load('rosa@example.com', ANA)).toEqual(STRANGER);
  });
});

test('the email of an artist is a proven mailbox once the artist has proven it', async () => {
  const { database } = await openTestApp();
  const proven = await addArtist(database);
  const unproven = await addArtist(database, { email_proven_at: null });
  const isProven = async (email: string) =>
    (await loadMailboxTrust(database, email, ANA)).isMailboxProven;
  expect(await isProven(proven.email.toUpperCase())).toBe(true);
  expect(await isProven(unproven.email)).toBe(false);
});
