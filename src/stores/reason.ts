import { ApiError, failureText } from '#client/http.ts';

/** Why something did not work, and what to do about it. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return failureText(error);
  return 'The connection was lost. Please try again.';
}
