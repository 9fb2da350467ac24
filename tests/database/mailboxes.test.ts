import { expect, test } from 'vitest';
import { markEmailProven, updateArtist } from '#server/database/artists.ts';
import { loadMailboxTrust, markMailboxProven } from '#server/database/mailboxes.ts';
import { addArtist, withRollback } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { openTestApp } from '#support/test_app.ts';

const NOW = Date.parse('2030-06-03T12:00:00Z');
const [ANA, BO] = [crypto.randomUUID(), crypto.randomUUID()];
const STRANGER = { isMailboxProven: false, isKnownToArtist: false, isOfUnprovenAccount: false };

test('a mailbox is proven in all its spellings, and known to the artist whose link was used', async () => {
  const { database } = await openTestApp();
  // Other tests add artists with usual names to the same database.
  const name = crypto.randomUUID();
  await withRollback(database, async (transaction) => {
    const load = (email: string, artistId: string | null) =>
      loadMailboxTrust(transaction, email, artistId);
    expect(await load(`rosa${name}@gmail.com`, ANA)).toEqual(STRANGER);
    await markMailboxProven(transaction, `Ro.sa${name}+ink@googlemail.com`, ANA, NOW);
    await markMailboxProven(transaction, `rosa${name}@gmail.com`, ANA, NOW);
    const known = { ...STRANGER, isMailboxProven: true, isKnownToArtist: true };
    expect(await load(`r.osa${name}@gmail.com`, ANA)).toEqual(known);
    expect(await load(`rosa${name}@gmail.com`, BO)).toEqual({ ...known, isKnownToArtist: false });
    expect(await load(`rosa${name}@gmail.com`, null)).toEqual({ ...known, isKnownToArtist: false });
    expect(await load(`rosa${name}@example.com`, ANA)).toEqual(STRANGER);
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

test('a mailbox is of an unproven account until its email is proven, or is another one', async () => {
  const { database } = await openTestApp();
  const name = `r.o.s.a.${crypto.randomUUID().slice(0, 8)}`;
  const artist = await addArtist(database, {
    email: `${name}@gmail.com`,
    email_proven_at: null,
  });
  const isUnproven = async (email: string) =>
    (await loadMailboxTrust(database, email, null)).isOfUnprovenAccount;
  const spelled = `${name.replaceAll('.', '')}+ink@googlemail.com`;
  expect(await isUnproven(spelled)).toBe(true);
  await inTransaction(database, markEmailProven, artist.id, artist.email);
  expect(await isUnproven(spelled)).toBe(false);
  const email = `new.${name}@gmail.com`;
  await updateArtist(database, artist.id, { email, email_proven_at: null });
  expect([await isUnproven(spelled), await isUnproven(email)]).toEqual([false, true]);
});
