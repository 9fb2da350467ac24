import { ApiError, formatError } from '#client/call.ts';
import { closeErrorToasts, showErrorToast } from '../toasts.ts';
import { revalidate } from './queries.ts';

/**
 * Makes a change, which shows its own success; an error is shown under `failureTitle`. Then reloads the
 * resources, after an error too: a lost response may hide a success.
 * @returns whether it was made
 */
export async function attempt(
  failureTitle: string,
  resources: readonly string[],
  change: () => Promise<unknown>,
): Promise<boolean> {
  closeErrorToasts();
  try {
    await change();
    return true;
  } catch (error) {
    if (error instanceof ApiError) showErrorToast(failureTitle, formatError(error));
    else
      showErrorToast('The connection was lost.', 'See whether it was done before you try again.');
    return false;
  } finally {
    for (const resource of resources) revalidate(resource);
  }
}
