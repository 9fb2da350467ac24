import { showErrorToast } from '../toasts.ts';

/**
 * Puts a text on the clipboard; where that is forbidden the artist is told it.
 * @returns whether it is there
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    showErrorToast('It could not be copied.', `Copy it by hand: ${text}`);
    return false;
  }
}
