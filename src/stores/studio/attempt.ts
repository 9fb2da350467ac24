import { showFailureToast } from '../error_text.ts';
import { closeErrorToasts } from '../toasts.ts';
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
    showFailureToast(error, failureTitle);
    return false;
  } finally {
    for (const resource of resources) revalidate(resource);
  }
}
