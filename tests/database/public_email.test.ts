import { expect, test } from 'vitest';
import { findArtistById, updateArtist } from '#server/database/artists.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

test('the page shows the email of the account, another one, or none', async () => {
  const { database } = await openTestApp();
  const { id, email } = await addArtist(database);
  const shown = async () => (await findArtistById(database, id))?.public_email;
  expect(await shown()).toBe(email);
  const other = { public_email_kind: 'other' as const, other_public_email: 'desk@example.com' };
  await updateArtist(database, id, other);
  expect(await shown()).toBe('desk@example.com');
  await updateArtist(database, id, { public_email_kind: 'none' });
  expect(await shown()).toBeNull();
});
