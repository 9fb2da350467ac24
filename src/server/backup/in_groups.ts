/**
 * Groups items in their order, so that each step handles many and the memory holds one group.
 * @param minSize a group is complete when its items have this size together; the last may be smaller
 */
export async function* inGroups<T>(
  items: Iterable<T> | AsyncIterable<T>,
  minSize: number,
  sizeOf: (item: T) => number = () => 1,
): AsyncGenerator<T[]> {
  let group: T[] = [];
  let size = 0;
  for await (const item of items) {
    group.push(item);
    size += sizeOf(item);
    if (size < minSize) continue;
    yield group;
    group = [];
    size = 0;
  }
  if (group.length > 0) yield group;
}
