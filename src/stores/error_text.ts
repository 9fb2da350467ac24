import { ApiError, formatError } from '#client/call.ts';
import { showErrorToast } from './toasts.ts';

const CONNECTION_LOST_TEXT = 'The connection was lost. Please try again.';

/** The API's text about an error; an error without a response counts as a lost connection. */
export function errorText(error: unknown): string {
  return error instanceof ApiError ? formatError(error) : CONNECTION_LOST_TEXT;
}

/** Shows why a change failed. @param consequence the title of the toast, such as "Not saved." */
export function showFailureToast(error: unknown, consequence: string): void {
  if (error instanceof ApiError) showErrorToast(consequence, formatError(error));
  // Without a response, the change may have been saved.
  else showErrorToast('The connection was lost.', 'See whether it was done before you try again.');
}
