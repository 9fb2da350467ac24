import * as z from 'zod/mini';

/** Parses JSON text with a schema; undefined if it is not JSON or does not match the schema. */
export function parseJson<T extends z.core.$ZodType>(
  schema: T,
  text: string,
): z.output<T> | undefined {
  try {
    return z.safeParse(schema, JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
