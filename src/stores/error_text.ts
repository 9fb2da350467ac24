import { ApiError, formatError } from '#client/http.ts';

/** Says why a call failed, and what to do about it. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) return formatError(error);
  return 'The connection was lost. Please try again.';
}
