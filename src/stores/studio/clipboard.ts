import { showErrorToast } from '../toasts.ts';

/** Copies a text; where the browser forbids that, shows the text. @returns whether it was copied */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    showErrorToast('It could not be copied.', `Copy it by hand: ${text}`);
    return false;
  }
}
