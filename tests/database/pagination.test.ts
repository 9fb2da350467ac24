import { expect, test } from 'vitest';
import type { Database } from '#server/database/connect.ts';
import { loadPage } from '#server/database/pagination.ts';
import { addArtist, addService } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

/** Returns a function that loads pages of five services, and records separate count queries. */
async function openFiveServices() {
  const app = await openTestApp();
  const artist = await addArtist(app.database);
  for (const name of ['a', 'b', 'c', 'd', 'e']) await addService(app.database, artist, { name });
  return async (skip: number, limit: number) => {
    const countQueries: string[] = [];
    const database: Database = app.database.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows.some((row) => 'count' in row)) countQueries.push('count');
        return result;
      },
    });
    const services = database.selectFrom('services').select('name').orderBy('name');
    const page = await loadPage(services.where('artist_id', '=', artist.id), { skip, limit });
    return { names: page.rows.map(({ name }) => name).join(''), count: page.count, countQueries };
  };
}

test('a page has its rows and the total count; one on which the list ends needs no count query; a full last page and one beyond the end do', async () => {
  const read = await openFiveServices();
  expect(await read(2, 2)).toMatchObject({ names: 'cd', count: 5 });
  expect(await read(0, 10)).toEqual({ names: 'abcde', count: 5, countQueries: [] });
  expect(await read(4, 2)).toEqual({ names: 'e', count: 5, countQueries: [] });
  expect(await read(3, 2)).toEqual({ names: 'de', count: 5, countQueries: ['count'] });
  expect(await read(50, 2)).toEqual({ names: '', count: 5, countQueries: ['count'] });
});
