import type { ListPage } from '#contract/common.ts';
import { MAX_PAGE_SIZE } from '#domain/list_limits.ts';

/** Reads a whole list, page by page; `onProgress` is called after each page. */
export async function fetchAllPages<T extends { readonly id: string }>(
  fetchPage: (page: { skip: number; limit: number }) => Promise<ListPage<T>>,
  onProgress: (readCount: number, totalCount: number) => void = () => {},
): Promise<readonly T[]> {
  // Drops repeats: an item added meanwhile can push one that was already read to the next page.
  const items = new Map<string, T>();
  let totalCount = Number.POSITIVE_INFINITY;
  for (let skip = 0; skip < totalCount; skip += MAX_PAGE_SIZE) {
    const { data, count } = await fetchPage({ skip, limit: MAX_PAGE_SIZE });
    for (const item of data) items.set(item.id, item);
    totalCount = count;
    onProgress(items.size, totalCount);
  }
  return [...items.values()];
}
