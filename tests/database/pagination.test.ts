import { expect, test } from 'vitest';
import type { Database } from '#server/database/connect.ts';
import { loadPage, TOTAL_COUNT } from '#server/database/pagination.ts';
import { addArtist, addService } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

/** Reads pages of five services; tells how often they were counted. */
async function fiveServices() {
  const app = await openTestApp();
  const artist = await addArtist(app.database);
  for (const name of ['a', 'b', 'c', 'd', 'e']) await addService(app.database, artist, { name });
  return async (skip: number, limit: number) => {
    const counted: string[] = [];
    const database: Database = app.database.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows.some((row) => 'count' in row)) counted.push('count');
        return result;
      },
    });
    const all = database.selectFrom('services').where('artist_id', '=', artist.id);
    const rows = all.select('name').orderBy('name');
    const page = await loadPage(rows, all.select(TOTAL_COUNT), { skip, limit });
    return { names: page.rows.map(({ name }) => name).join(''), count: page.count, counted };
  };
}

test('a page has its rows and the count of all', async () => {
  const read = await fiveServices();
  expect(await read(0, 2)).toMatchObject({ names: 'ab', count: 5 });
  expect(await read(2, 2)).toMatchObject({ names: 'cd', count: 5 });
});

test('a page on which the list ends is not counted by another query', async () => {
  const read = await fiveServices();
  expect(await read(0, 10)).toEqual({ names: 'abcde', count: 5, counted: [] });
  expect(await read(4, 2)).toEqual({ names: 'e', count: 5, counted: [] });
});

test('a full last page and a page beyond the end are counted', async () => {
  const read = await fiveServices();
  expect(await read(3, 2)).toEqual({ names: 'de', count: 5, counted: ['count'] });
  expect(await read(50, 2)).toEqual({ names: '', count: 5, counted: ['count'] });
});
