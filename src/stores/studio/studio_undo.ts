// Undo of the artist's last change of the studio, or last answer about clock rules: the API undoes one.
import { serverNow } from '#client/server_clock.ts';
import { MAILED_UNDO_MS } from '#domain/mail.ts';
import type { Instant } from '#domain/time.ts';
import { $token } from '../session.ts';
import { closeToast, showSuccessToast } from '../toasts.ts';

interface LastChange {
  /** The login of the artist who made it. */
  readonly token: string | undefined;
  readonly toastId: number;
  /** Until when its mails, and those of an earlier change that they replace, wait; 0 without mails. */
  readonly mailsWaitUntil: Instant;
}
let lastChange: LastChange | null = null;

/**
 * Says that a change is saved and whether clients are mailed, and offers Undo in place of an earlier one.
 * @param text what is saved
 * @param undo `mails`: the sentence about the mails after it
 */
export function showSavedWithUndo(
  text: string,
  tellsClients: boolean,
  undo: (mails: string) => void,
): void {
  const now = serverNow();
  const token = $token.get();
  const earlier = lastChange?.token === token ? lastChange : null;
  // Its mails replace those of an earlier change, which an Undo sends instead.
  const replacesMails = earlier !== null && earlier.mailsWaitUntil > now;
  if (earlier) closeToast(earlier.toastId);
  const hasMails = tellsClients || replacesMails;
  const mails = hasMails ? 'The mails go out in a minute.' : 'No client is mailed.';
  const run = () => {
    lastChange = null;
    undo(replacesMails ? 'The mails of the change before go out.' : 'No client is mailed.');
  };
  const toastId = showSuccessToast('Saved.', `${text} ${mails}`, { label: 'Undo', run });
  lastChange = { token, toastId, mailsWaitUntil: hasMails ? now + MAILED_UNDO_MS : 0 };
}
