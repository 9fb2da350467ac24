/** Returns PostgreSQL's code of an error, such as `23P01`, or Node's, such as `ECONNREFUSED`. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
