/** The value of a key, created at its first use and kept in `values` for ever: use it for few keys. */
export function remembered<T>(values: Map<string, T>, key: string, create: () => T): T {
  const known = values.get(key);
  if (known !== undefined) return known;
  const created = create();
  values.set(key, created);
  return created;
}
