/** Splits tags into batches of at most `maxTags`. */
export function toBatches(tags: readonly string[], maxTags: number): readonly string[][] {
  const batches: string[][] = [];
  for (let first = 0; first < tags.length; first += maxTags)
    batches.push(tags.slice(first, first + maxTags));
  return batches;
}
