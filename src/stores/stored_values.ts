// Reads values of unknown types, such as those in the browser's storage.

/** An object's fields; none for other values. */
export function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' ? { ...value } : {};
}

/** A text; '' for other values. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
