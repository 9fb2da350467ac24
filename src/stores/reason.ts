import { ApiError, formatError } from '#client/http.ts';

/** Why something did not work, and what to do about it. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return formatError(error);
  return 'The connection was lost. Please try again.';
}
