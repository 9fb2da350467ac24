import { ApiError, formatError } from '#client/call.ts';
import { showErrorToast } from './toasts.ts';

const CONNECTION_LOST_TEXT = 'The connection was lost. Please try again.';

/** Returns why a request failed; `connectionText` when no response came. */
export function errorText(error: unknown, connectionText = CONNECTION_LOST_TEXT): string {
  return error instanceof ApiError ? formatError(error) : connectionText;
}

/** Shows why a request failed, under its consequence, such as "The order was not saved." */
export function showFailureToast(error: unknown, consequence = 'Something went wrong.'): void {
  showErrorToast(consequence, errorText(error));
}
