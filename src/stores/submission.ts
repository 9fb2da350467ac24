// Sends a booking or an appointment request, never twice at once, and shows why sending failed.
import { atom } from 'nanostores';
import { ApiError, formatError } from '#client/call.ts';
import type { Confirmation } from '#contract/appointment.ts';
import type { ValidationItem } from '#contract/common.ts';
import { clearBookingDraft } from './booking_draft.ts';
import { type DetailField, toDetailField } from './details.ts';
import { type ProofOfWorkHeader, sendWithProofOfWork } from './proof_of_work.ts';
import { showErrorToast } from './toasts.ts';

/** `working`: the browser computes the proof of work that the API asks for. */
export type Submission = 'idle' | 'sending' | 'working' | 'sent';

/** The result of sending. The form shows the `fields`; a toast has shown the first other error. */
export type SubmitResult =
  /** `id` is the appointment's. */
  | { readonly kind: 'sent'; readonly id: string }
  | { readonly kind: 'invalid'; readonly fields: readonly InvalidField[] }
  /**
   * Status 409: the time is taken, the artist takes no bookings, or the idempotency key belongs to
   * a different request. In each case, a retry needs a new key.
   */
  | { readonly kind: 'conflict' }
  /** The API refused the form for any other reason. */
  | { readonly kind: 'refused' }
  /** No response of the API came: it may have saved the appointment or not. */
  | { readonly kind: 'unanswered' }
  /** Nothing was sent, because the form is being sent or has been sent. */
  | { readonly kind: 'busy' };

interface InvalidField {
  readonly field: DetailField;
  readonly message: string;
}

/** Between the browser and the API, something answered in place of the API. */
const GATEWAY_ERRORS: readonly number[] = [502, 504];
const ERROR_TITLE = 'Something went wrong.';
const NO_RESPONSE_TEXT =
  'The connection was lost, so we cannot tell whether this was sent. ' +
  'Everything you typed is still here and it is safe to try again.';

/** @param username the artist's; a success deletes what the client typed for this artist */
export function createSubmission(username: string) {
  const $submission = atom<Submission>('idle');

  /** Sends the form with `send`, which makes the request with the header that it is given. */
  async function submit(
    send: (header: ProofOfWorkHeader) => Promise<Confirmation>,
  ): Promise<SubmitResult> {
    if ($submission.get() !== 'idle') return { kind: 'busy' };
    $submission.set('sending');
    try {
      const { id } = await sendWithProofOfWork(send, () => $submission.set('working'));
      clearBookingDraft(username);
      $submission.set('sent');
      return { kind: 'sent', id };
    } catch (error) {
      $submission.set('idle');
      return showFailure(error);
    }
  }

  return {
    $submission,
    submit,
    /** Allows sending again, after the browser restores the page from its back/forward cache. */
    reset: () => $submission.set('idle'),
  };
}

/** Shows the first error that no field of the form can show. @returns the result for the form */
function showFailure(error: unknown): SubmitResult {
  if (!(error instanceof ApiError) || GATEWAY_ERRORS.includes(error.status)) {
    showErrorToast(ERROR_TITLE, NO_RESPONSE_TEXT);
    return { kind: 'unanswered' };
  }
  const items = typeof error.detail === 'string' ? [] : error.detail;
  const fields = items.flatMap(toInvalidFields);
  const itemWithoutField = items.find((item) => toInvalidFields(item).length === 0);
  if (fields.length === 0 || itemWithoutField)
    showErrorToast(ERROR_TITLE, itemWithoutField?.msg ?? formatError(error));
  if (fields.length > 0) return { kind: 'invalid', fields };
  return { kind: error.status === 409 ? 'conflict' : 'refused' };
}

/** Converts one error of the API; returns an empty list if the form has no such field. */
function toInvalidFields({ loc, msg }: ValidationItem): InvalidField[] {
  const field = loc[0] === 'body' ? toDetailField(loc[1]) : null;
  return field ? [{ field, message: msg }] : [];
}
