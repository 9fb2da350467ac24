import { expect, test } from 'vitest';
import { updateArtist } from '#server/database/artists.ts';
import {
  deletePortfolioImage,
  listOwnPortfolio,
  listPortfolio,
  loadPortfolioImage,
  updatePortfolioImage,
} from '#server/operations/studio/images.ts';
import { openArtistApp, openArtistContext } from '#support/artist_app.ts';
import { addDesign, addImage } from '#support/database_rows.ts';
import { uploadPicture } from '#support/pictures.ts';
import { openTestContext } from '#support/test_context.ts';

const PAGE = { skip: 0, limit: 100 };
const NOT_FOUND = { reason: 'not_found' };

test('a portfolio is public while its artist is active, and tagged with artist and portfolio', async () => {
  const { context, artist } = await openArtistContext();
  const { id } = await addImage(context.database, artist);
  const listed = await listPortfolio(context, artist.username, PAGE);
  expect(listed.value.data.map((image) => image.id)).toEqual([id]);
  expect(listed.tags).toEqual([`artist:${artist.id}`, `portfolio:${artist.id}`]);
  await updateArtist(context.database, artist.id, { is_active: false });
  await expect(listPortfolio(context, artist.username, PAGE)).rejects.toMatchObject(NOT_FOUND);
});

test('one update sets the title and position of a picture, and invalidates the portfolio', async () => {
  const { context, artist, invalidatedTags } = await openArtistContext();
  const first = await addImage(context.database, artist, { position: 0 });
  const { id } = await addImage(context.database, artist, { position: 1 });
  expect(
    await updatePortfolioImage(context, artist.id, id, { title: 'A dove', position: 0 }),
  ).toMatchObject({
    id,
    title: 'A dove',
  });
  expect((await updatePortfolioImage(context, artist.id, id, {})).title).toBe('A dove');
  const { data } = await listOwnPortfolio(context, artist.id, PAGE);
  expect(data.map((image) => image.id)).toEqual([id, first.id]);
  expect(new Set(invalidatedTags)).toEqual(new Set([`portfolio:${artist.id}`]));
});

test('the picture of a design is not found in the portfolio', async () => {
  const { context, artist } = await openArtistContext();
  const { imageId } = await addDesign(context.database, artist);
  for (const act of [
    () => loadPortfolioImage(context, artist.id, imageId),
    () => updatePortfolioImage(context, artist.id, imageId, { title: 'Mine' }),
    () => deletePortfolioImage(context, artist.id, imageId),
  ])
    await expect(act()).rejects.toMatchObject(NOT_FOUND);
});

test('deleting a picture deletes its files', async () => {
  const { context, artist, files } = await openArtistContext();
  const { id } = await addImage(context.database, artist);
  await context.images.put({ imageId: id, width: 400, format: 'webp' }, new Uint8Array());
  await deletePortfolioImage(context, artist.id, id);
  expect(files.size).toBe(0);
  await expect(deletePortfolioImage(context, artist.id, id)).rejects.toMatchObject(NOT_FOUND);
});

test('an uploaded picture is last in the portfolio', async () => {
  const { app, artist, token } = await openArtistApp();
  const first = await addImage(app.database, artist.self, { position: 7 });
  const last = await uploadPicture(app, token);
  const { context } = await openTestContext();
  const { data } = await listOwnPortfolio(context, artist.self.id, PAGE);
  expect(data.map(({ id }) => id)).toEqual([first.id, last.id]);
});
