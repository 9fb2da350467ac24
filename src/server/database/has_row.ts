/**
 * Whether a query finds a row, or a statement with RETURNING changed one.
 * @param query at most one row is expected, or read
 */
export async function hasRow(query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}
