import { expect, test } from 'vitest';
import { findArtistWithDesigns, findArtistWithServices } from '#server/database/artist_pages.ts';
import { updateArtist } from '#server/database/artists.ts';
import { addArtist, addDesign, addService } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

test('each artist is found with their own available designs, in their order', async () => {
  const { database } = await openTestApp();
  const [ana, ben] = [await addArtist(database), await addArtist(database)];
  for (const name of ['one', 'two', 'three']) await addDesign(database, ana, { name });
  await addDesign(database, ana, { name: 'hidden', status: 'hidden' });
  await addDesign(database, ben, { name: 'his' });
  const namesOf = async (username: string) =>
    (await findArtistWithDesigns(database, username))?.designs.map(({ name }) => name);
  expect(await namesOf(ana.username)).toEqual(['one', 'two', 'three']);
  expect(await namesOf(ben.username.toUpperCase())).toEqual(['his']);
});

test('an artist is found with their own available services, beside the designs', async () => {
  const { database } = await openTestApp();
  const [ana, ben] = [await addArtist(database), await addArtist(database)];
  const { id } = await addService(database, ana);
  await addService(database, ana, { is_available: false });
  await addService(database, ben);
  const found = await findArtistWithDesigns(database, ana.username);
  expect(found).toMatchObject({ designs: [], services: [{ id }] });
  expect(found?.services).toHaveLength(1);
});

test('an artist without services has an empty list, and an inactive artist is not found', async () => {
  const { database } = await openTestApp();
  const [ana, ben] = [await addArtist(database), await addArtist(database)];
  await addService(database, ben);
  expect((await findArtistWithServices(database, ana.username))?.services).toEqual([]);
  expect((await findArtistWithServices(database, ben.username))?.services).toHaveLength(1);
  await updateArtist(database, ben.id, { is_active: false });
  expect(await findArtistWithServices(database, ben.username)).toBeUndefined();
});
