/** The value of a key, created once. For values that take longer to create than to use. */
export function remembered<T>(values: Map<string, T>, key: string, create: () => T): T {
  const known = values.get(key);
  if (known !== undefined) return known;
  const created = create();
  values.set(key, created);
  return created;
}
