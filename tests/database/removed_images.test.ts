import { expect, test } from 'vitest';
import type { Database } from '#server/database/connect.ts';
import {
  deleteRemovedImage,
  insertRemovedImage,
  insertRemovedImagesOfArtist,
  listRemovedImages,
} from '#server/database/removed_images.ts';
import { addArtist, addDesign, addImage } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

async function isListedForRemoval(database: Database, id: string): Promise<boolean> {
  return (await listRemovedImages(database, 10_000)).includes(id);
}

test('insertRemovedImagesOfArtist lists all pictures of one artist, including designs, for removal', async () => {
  const { database } = await openTestApp();
  const [artist, other] = [await addArtist(database), await addArtist(database)];
  const { id } = await addImage(database, artist);
  const { imageId } = await addDesign(database, artist);
  const foreign = await addImage(database, other);
  const ids = await insertRemovedImagesOfArtist(database, artist.id);
  expect(ids.toSorted()).toEqual([id, imageId].toSorted());
  expect([
    await isListedForRemoval(database, imageId),
    await isListedForRemoval(database, foreign.id),
  ]).toEqual([true, false]);
  expect((await insertRemovedImagesOfArtist(database, artist.id)).toSorted()).toEqual(
    ids.toSorted(),
  );
});

test('an image inserted twice is listed once, until it is deleted from the list', async () => {
  const { database } = await openTestApp();
  const id = crypto.randomUUID();
  await insertRemovedImage(database, id);
  await insertRemovedImage(database, id);
  expect((await listRemovedImages(database, 10_000)).filter((one) => one === id)).toHaveLength(1);
  await deleteRemovedImage(database, id);
  expect(await isListedForRemoval(database, id)).toBe(false);
});
