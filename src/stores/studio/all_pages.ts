import type { ListPage } from '#contract/common.ts';

/** As many as the API lists at once. */
const MAX_PAGE_SIZE = 200;

/**
 * All of a list, read page by page.
 * @param list reads one page
 * @param onProgress hears how many are read, and of how many
 */
export async function fetchAllPages<T extends { readonly id: string }>(
  list: (page: { skip: number; limit: number }) => Promise<ListPage<T>>,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<readonly T[]> {
  // By id: what is added meanwhile moves others onto the next page.
  const all = new Map<string, T>();
  for (let skip = 0, total = 1; skip < total; skip += MAX_PAGE_SIZE) {
    const { data, count } = await list({ skip, limit: MAX_PAGE_SIZE });
    for (const one of data) all.set(one.id, one);
    total = count;
    onProgress(all.size, total);
  }
  return [...all.values()];
}
