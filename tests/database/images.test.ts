import { expect, test } from 'vitest';
import type { Database } from '#server/database/connect.ts';
import { insertRemovedImagesOfArtist } from '#server/database/images.ts';
import { addArtist, addDesign, addImage } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

async function isListedForRemoval(database: Database, id: string): Promise<boolean> {
  const removed = database.selectFrom('removed_images').select('id').where('id', '=', id);
  return (await removed.executeTakeFirst()) !== undefined;
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
