import { expect, test } from 'vitest';
import {
  countImagesWithoutAvif,
  insertPortfolioImage,
  listImagesWithoutAvif,
  listPortfolioImages,
} from '#server/database/images.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addImage } from '#support/database_rows.ts';

const ALL = { skip: 0, limit: 100 };

test('an uploaded picture is last in the portfolio', async () => {
  const { database, artist } = await openArtistContext();
  await addImage(database, artist, { title: 'first', position: 7 });
  await insertPortfolioImage(database, {
    ...{ artist_id: artist.id, title: 'last', width: 400, height: 400, widths: [400] },
    kind: 'portfolio',
    formats: ['webp'],
  });
  const { rows } = await listPortfolioImages(database, artist.id, ALL);
  expect(rows.map(({ title }) => title)).toEqual(['first', 'last']);
});

test('images without AVIF are listed by id, with their rank among those of the artist', async () => {
  const { database, artist } = await openArtistContext();
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
