import { atom } from 'nanostores';
import { ApiError, formatError } from '#client/http.ts';
import type { Confirmation } from '#contract/appointment.ts';
import type { ValidationItem } from '#contract/common.ts';
import { clearBookingDraft } from './booking_draft.ts';
import { type DetailField, toDetailField } from './details.ts';
import { showErrorToast } from './toasts.ts';

export type Submission =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'sent'; readonly id: string };

/** What came of sending. The person has been told already, but for what belongs beside a field. */
export type SubmitResult =
  | { readonly kind: 'sent'; readonly id: string }
  | { readonly kind: 'invalid'; readonly fields: readonly InvalidField[] }
  /** The API said no because of the state of things: another try needs another key. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'refused' }
  /** No answer came: it may have arrived or not. */
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'busy' };

interface InvalidField {
  readonly field: DetailField;
  readonly message: string;
}

const ERROR_TITLE = 'Something went wrong.';
const NO_RESPONSE_TEXT =
  'The connection was lost, so we cannot tell whether this was sent. ' +
  'Everything you typed is still here and it is safe to try again.';

/** Sends a form once at a time and keeps it from being sent twice. */
export function createSubmission(username: string) {
  const $submission = atom<Submission>({ kind: 'idle' });

  async function submit(send: () => Promise<Confirmation>): Promise<SubmitResult> {
    if ($submission.get().kind !== 'idle') return { kind: 'busy' };
    $submission.set({ kind: 'sending' });
    try {
      const { id } = await send();
      clearBookingDraft(username);
      $submission.set({ kind: 'sent', id });
      return { kind: 'sent', id };
    } catch (error) {
      $submission.set({ kind: 'idle' });
      return showFailure(error);
    }
  }

  return {
    $submission,
    submit,
    /** The page came back from the browser's memory after it was sent. */
    reset: () => $submission.set({ kind: 'idle' }),
  };
}

function showFailure(error: unknown): SubmitResult {
  if (!(error instanceof ApiError)) {
    showErrorToast(ERROR_TITLE, NO_RESPONSE_TEXT);
    return { kind: 'unanswered' };
  }
  const items = typeof error.detail === 'string' ? [] : error.detail;
  const fields = items.flatMap(toInvalidFields);
  // What no field of the form can show is told in the corner.
  if (fields.length === 0 || fields.length < items.length)
    showErrorToast(ERROR_TITLE, otherErrorText(error, items));
  if (fields.length > 0) return { kind: 'invalid', fields };
  return { kind: error.status === 409 ? 'conflict' : 'refused' };
}

function toInvalidFields({ loc, msg }: ValidationItem): InvalidField[] {
  const field = loc[0] === 'body' ? toDetailField(loc[1]) : null;
  return field ? [{ field, message: msg }] : [];
}

function otherErrorText(error: ApiError, items: readonly ValidationItem[]): string {
  return items.find((item) => toInvalidFields(item).length === 0)?.msg ?? formatError(error);
}
