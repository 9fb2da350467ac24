import { expect, test } from 'vitest';
import * as artists from '#server/database/artists.ts';
import { openStudio } from '#support/studio.ts';

/** Nothing of these is on a public page. */
const PRIVATE = [
  'is_active',
  'is_superuser',
  'created_at',
  'reminder_hours',
  'payment_customer',
  'payment_checkout',
  'password_hash',
  'token_version',
];
const namesOf = (row: object | undefined) => Object.keys(row ?? {});

test('public reads of an artist select only columns that everyone sees', async () => {
  const studio = await openStudio();
  const { self, username } = await studio.artist();
  for (const row of [
    await artists.findArtist(studio.database, username),
    await artists.findPublicArtistById(studio.database, self.id),
    await artists.findActiveArtist(studio.database, username),
  ]) {
    expect(row?.id).toBe(self.id);
    expect(namesOf(row).filter((name) => PRIVATE.includes(name))).toEqual([]);
  }
});

test('the read of the artist’s own account adds to the public one, but no secret and no payment', async () => {
  const studio = await openStudio();
  const { self } = await studio.artist();
  const own = namesOf(await artists.findArtistById(studio.database, self.id));
  expect(own.filter((name) => PRIVATE.includes(name)).sort()).toEqual([
    'created_at',
    'is_active',
    'is_superuser',
    'reminder_hours',
  ]);
});

test('an artist who is not active, or a superuser, has no public row', async () => {
  const studio = await openStudio();
  for (const change of [{ is_active: false }, { is_superuser: true }]) {
    const { self, username } = await studio.artist();
    await artists.updateArtist(studio.database, self.id, change);
    expect(await artists.findArtist(studio.database, username)).toBeUndefined();
    expect(await artists.findPublicArtistById(studio.database, self.id)).toBeUndefined();
    expect((await artists.findArtistById(studio.database, self.id))?.id).toBe(self.id);
  }
});
