import { expect, test } from 'vitest';
import { updateArtist } from '#server/database/artists.ts';
import {
  deleteDesign,
  findArtistDesign,
  findPublicDesign,
  listDesigns,
  updateDesign,
} from '#server/database/designs.ts';
import { listRemovedImages } from '#server/database/removed_images.ts';
import { addArtist, addDesign } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const ALL = { skip: 0, limit: 100 };

async function addTwoArtists() {
  const { database } = await openTestApp();
  return { database, artist: await addArtist(database), other: await addArtist(database) };
}

test('an artist’s designs are listed in the order in which they were added', async () => {
  const { database, artist, other } = await addTwoArtists();
  await addDesign(database, other);
  for (const name of ['one', 'two', 'three']) await addDesign(database, artist, { name });
  const { rows, count } = await listDesigns(database, artist.id, 'all', ALL);
  expect([rows.map(({ name }) => name), count]).toEqual([['one', 'two', 'three'], 3]);
});

test('clients see available designs; the artist sees claimed and hidden ones too', async () => {
  const { database, artist } = await addTwoArtists();
  for (const status of ['available', 'claimed', 'hidden'] as const)
    await addDesign(database, artist, { status });
  expect((await listDesigns(database, artist.id, 'bookable', ALL)).count).toBe(1);
  expect((await listDesigns(database, artist.id, 'all', ALL)).count).toBe(3);
});

test('a public design is found only with one of the given statuses and an active artist', async () => {
  const { database, artist } = await addTwoArtists();
  const { id } = await addDesign(database, artist, { status: 'claimed' });
  expect(await findPublicDesign(database, id, ['available'])).toBeUndefined();
  expect(await findPublicDesign(database, id, ['available', 'claimed'])).toMatchObject({
    artist_id: artist.id,
    username: artist.username,
  });
  await updateArtist(database, artist.id, { is_active: false });
  expect(await findPublicDesign(database, id, ['claimed'])).toBeUndefined();
});

test('another artist’s design cannot be found, changed or deleted', async () => {
  const { database, artist, other } = await addTwoArtists();
  const { id } = await addDesign(database, artist);
  expect(await findArtistDesign(database, other.id, id)).toBeUndefined();
  expect(await updateDesign(database, other.id, id, { name: 'Mine' })).toBe(false);
  expect(await deleteDesign(database, other.id, id)).toBeUndefined();
  expect((await findArtistDesign(database, artist.id, id))?.name).toBe('Swallow');
});

test('the title of a design’s picture is its description, or its name without one', async () => {
  const { database, artist } = await addTwoArtists();
  const { id } = await addDesign(database, artist);
  const title = async () => (await findArtistDesign(database, artist.id, id))?.title;
  await updateDesign(database, artist.id, id, { description: 'Two swallows in flight' });
  expect(await title()).toBe('Two swallows in flight');
  await updateDesign(database, artist.id, id, { description: '' });
  expect(await title()).toBe('Swallow');
});

test('an empty update succeeds and changes nothing', async () => {
  const { database, artist } = await addTwoArtists();
  const { id } = await addDesign(database, artist);
  expect(await updateDesign(database, artist.id, id, {})).toBe(true);
  expect((await findArtistDesign(database, artist.id, id))?.description).toBe('In black.');
});

test('deleting a design deletes the row of its picture and lists its files for removal', async () => {
  const { database, artist } = await addTwoArtists();
  const { id, imageId } = await addDesign(database, artist);
  expect(await deleteDesign(database, artist.id, id)).toEqual([imageId]);
  expect(await deleteDesign(database, artist.id, id)).toBeUndefined();
  expect(await listRemovedImages(database, 10_000)).toContain(imageId);
  const image = database.selectFrom('images').select('id').where('id', '=', imageId);
  expect(await image.executeTakeFirst()).toBeUndefined();
});
