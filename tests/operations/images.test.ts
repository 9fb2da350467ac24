import { expect, test } from 'vitest';
import { updateArtist } from '#server/database/artists.ts';
import {
  changeImage,
  listOwnPortfolio,
  listPortfolio,
  readImage,
  removeImage,
} from '#server/operations/images.ts';
import { addArtist, addDesign, addImage } from '#support/own_rows.ts';
import { openParts } from '#support/parts.ts';

const PAGE = { skip: 0, limit: 100 };
const NOT_FOUND = { reason: 'not_found' };

async function open() {
  const opened = await openParts();
  return { ...opened, artist: await addArtist(opened.parts.database) };
}

test('a portfolio is public while its artist is active, tagged with both', async () => {
  const { parts, artist } = await open();
  const { id } = await addImage(parts.database, artist);
  const listed = await listPortfolio(parts, artist.username, PAGE);
  expect(listed.answer.data.map((image) => image.id)).toEqual([id]);
  expect(listed.tags).toEqual([`artist:${artist.id}`, `portfolio:${artist.id}`]);
  await updateArtist(parts.database, artist.id, { is_active: false });
  await expect(listPortfolio(parts, artist.username, PAGE)).rejects.toMatchObject(NOT_FOUND);
});

test('a picture gets a description and a place, and the portfolio is invalidated', async () => {
  const { parts, artist, cleared } = await open();
  const first = await addImage(parts.database, artist, { position: 0 });
  const { id } = await addImage(parts.database, artist, { position: 1 });
  expect(await changeImage(parts, artist.id, id, { title: 'A dove', position: 0 })).toMatchObject({
    id,
    title: 'A dove',
  });
  expect((await changeImage(parts, artist.id, id, {})).title).toBe('A dove');
  const { data } = await listOwnPortfolio(parts, artist.id, PAGE);
  expect(data.map((image) => image.id)).toEqual([id, first.id]);
  expect(new Set(cleared)).toEqual(new Set([`portfolio:${artist.id}`]));
});

test('another artist’s picture, and a design’s, are not found in the portfolio', async () => {
  const { parts, artist } = await open();
  const { id } = await addImage(parts.database, artist);
  const { imageId } = await addDesign(parts.database, artist);
  const other = await addArtist(parts.database);
  for (const [artistId, imageIdOf] of [
    [other.id, id],
    [artist.id, imageId],
  ] as const) {
    const title = 'Mine';
    await expect(readImage(parts, artistId, imageIdOf)).rejects.toMatchObject(NOT_FOUND);
    await expect(changeImage(parts, artistId, imageIdOf, { title })).rejects.toMatchObject(
      NOT_FOUND,
    );
    await expect(removeImage(parts, artistId, imageIdOf)).rejects.toMatchObject(NOT_FOUND);
  }
  expect((await readImage(parts, artist.id, id)).title).toBe('A swallow');
});

test('a deleted picture takes its files along', async () => {
  const { parts, artist, files } = await open();
  const { id } = await addImage(parts.database, artist);
  await parts.images.put({ imageId: id, width: 400, format: 'webp' }, new Uint8Array());
  await removeImage(parts, artist.id, id);
  expect(files.size).toBe(0);
  await expect(removeImage(parts, artist.id, id)).rejects.toMatchObject(NOT_FOUND);
});
