import { expect, it } from 'vitest';
import { fetchAllPages } from '#stores/studio/all_pages.ts';

const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `row ${at}` }));

it('all pages of a list are fetched, with progress', async () => {
  const all = rows(450);
  const progress: string[] = [];
  const read = await fetchAllPages(
    async ({ skip, limit }) => ({ data: all.slice(skip, skip + limit), count: all.length }),
    (done, total) => progress.push(`${done} of ${total}`),
  );
  expect(read).toEqual(all);
  expect(progress).toEqual(['200 of 450', '400 of 450', '450 of 450']);
});

it('a row that moves to the next page during the fetch is returned once', async () => {
  let all = rows(250);
  const read = await fetchAllPages(async ({ skip, limit }) => {
    const page = { data: all.slice(skip, skip + limit), count: all.length };
    all = [{ id: 'newcomer' }, ...all];
    return page;
  });
  expect(read).toEqual(rows(250));
});
