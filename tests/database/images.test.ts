import { expect, test } from 'vitest';
import type { Database } from '#server/database/connect.ts';
import {
  countImagesWithoutAvif,
  findPortfolioImage,
  insertPortfolioImage,
  listImagesWithoutAvif,
  listPortfolioImages,
  listPublicImages,
  replaceAvatar,
  updatePortfolioImageTitle,
} from '#server/database/images.ts';
import { listRemovedImages } from '#server/database/removed_images.ts';
import { addArtist, addDesign, addImage } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const ALL = { skip: 0, limit: 100 };

async function addTwoArtists() {
  const { database } = await openTestApp();
  return { database, artist: await addArtist(database), other: await addArtist(database) };
}

function changeAvatar(database: Database, artistId: string) {
  return database
    .transaction()
    .execute((transaction) => replaceAvatar(transaction, newAvatar(artistId)));
}

function newAvatar(artistId: string) {
  return {
    artist_id: artistId,
    kind: 'avatar' as const,
    title: '',
    width: 400,
    height: 400,
    widths: [400],
    formats: ['webp' as const],
  };
}

test('an uploaded picture is last in the portfolio', async () => {
  const { database, artist } = await addTwoArtists();
  await addImage(database, artist, { title: 'first', position: 7 });
  await insertPortfolioImage(database, {
    ...newAvatar(artist.id),
    kind: 'portfolio',
    title: 'last',
  });
  const { rows } = await listPortfolioImages(database, artist.id, ALL);
  expect(rows.map(({ title }) => title)).toEqual(['first', 'last']);
});

test('another artist’s picture cannot be found or retitled, nor can the picture of a design', async () => {
  const { database, artist, other } = await addTwoArtists();
  const { id } = await addImage(database, artist);
  const { imageId } = await addDesign(database, artist);
  expect(await findPortfolioImage(database, other.id, id)).toBeUndefined();
  expect(await updatePortfolioImageTitle(database, other.id, id, 'Mine')).toBe(false);
  expect(await updatePortfolioImageTitle(database, artist.id, imageId, 'Mine')).toBe(false);
  expect(await updatePortfolioImageTitle(database, artist.id, id, 'A dove')).toBe(true);
  expect((await findPortfolioImage(database, artist.id, id))?.title).toBe('A dove');
});

test('public images are limited for each kind, without those of hidden and claimed designs', async () => {
  const { database, artist } = await addTwoArtists();
  await addDesign(database, artist, { status: 'hidden' });
  await addDesign(database, artist, { status: 'claimed' });
  const shown = await addDesign(database, artist, { position: 9 });
  const first = await addImage(database, artist, { position: 0 });
  await addImage(database, artist, { position: 1 });
  const found = await listPublicImages(database, [artist.id], 1);
  expect(new Map(found.map(({ id, design_id }) => [id, design_id]))).toEqual(
    new Map([
      [shown.imageId, shown.id],
      [first.id, null],
    ]),
  );
  expect(await listPublicImages(database, [], 1)).toEqual([]);
});

test('a new avatar replaces the previous one, whose files are listed for removal', async () => {
  const { database, artist } = await addTwoArtists();
  expect(await changeAvatar(database, artist.id)).toBeNull();
  const { avatar_id: first } = await database
    .selectFrom('artists')
    .select('avatar_id')
    .where('id', '=', artist.id)
    .executeTakeFirstOrThrow();
  expect(await changeAvatar(database, artist.id)).toBe(first);
  expect(await listRemovedImages(database, 10_000)).toContain(first);
});

test('of two concurrent avatars, one stays and the other is deleted', async () => {
  const { database, artist } = await addTwoArtists();
  const before = await Promise.all([
    changeAvatar(database, artist.id),
    changeAvatar(database, artist.id),
  ]);
  expect(before.filter((id) => id === null)).toHaveLength(1);
  const rows = await database
    .selectFrom('images')
    .select('id')
    .where('artist_id', '=', artist.id)
    .execute();
  expect(rows).toHaveLength(1);
});

test('images without AVIF are listed by id, with their rank among those of the artist', async () => {
  const { database, artist } = await addTwoArtists();
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1)
    ids.push((await addImage(database, artist, { formats: ['webp'] })).id);
  const other = await addImage(database, artist, { formats: ['avif', 'webp'] });
  const found = await listImagesWithoutAvif(database);
  expect(found.filter(({ id }) => ids.includes(id))).toEqual(
    ids.toSorted().map((id) => ({ id, rank: ids.indexOf(id) })),
  );
  expect(found.map(({ id }) => id)).not.toContain(other.id);
  expect(await countImagesWithoutAvif(database, artist.id)).toBe(3);
});
