import { ApiError, formatError } from '#client/call.ts';
import { showErrorToast } from './toasts.ts';

const CONNECTION_LOST_TEXT = 'The connection was lost. Please try again.';

/** Returns why a request failed. */
export function errorText(error: unknown): string {
  return error instanceof ApiError ? formatError(error) : CONNECTION_LOST_TEXT;
}

/** Shows why a change failed, under its consequence, such as "Not saved."; a lost response may hide a success. */
export function showFailureToast(error: unknown, consequence: string): void {
  if (error instanceof ApiError) showErrorToast(consequence, formatError(error));
  else showErrorToast('The connection was lost.', 'See whether it was done before you try again.');
}
