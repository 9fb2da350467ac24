// Sends a booking or an appointment request, never twice at once, and shows why sending failed.
import { atom } from 'nanostores';
import { ApiError, formatError } from '#client/call.ts';
import type { Confirmation } from '#contract/appointment.ts';
import type { Slot } from '#contract/availability.ts';
import { SERVICE_CHANGED_TYPE } from '#contract/booking_refusals.ts';
import type { ValidationItem } from '#contract/common.ts';
import type { AlikeDesign, RefusalReason } from '#domain/refusal.ts';
import { clearBookingDraft, readBookingDraft, saveBookingDraft } from './booking_draft.ts';
import { BLANK_DETAILS, type DetailField, toDetailField } from './details.ts';
import { type ProofOfWorkHeader, sendWithProofOfWork } from './proof_of_work.ts';
import { readHold, saveHold } from './saved_hold.ts';
import { closeErrorToasts, showErrorToast, showSuccessToastOnNextPage } from './toasts.ts';
import { saveRequestedEmail } from './typed_email.ts';

/** `working`: the browser computes the proof of work that the API asks for. */
export type Submission = 'idle' | 'sending' | 'working' | 'sent';

/** The result of sending. The form shows the `fields`; a toast has shown the first other error. */
export type SubmitResult =
  /** `id` is the appointment's. */
  | { readonly kind: 'sent'; readonly id: string }
  | { readonly kind: 'invalid'; readonly fields: readonly InvalidField[] }
  /** The form no longer fits what can be booked. A retry needs a new idempotency key. */
  | Conflict
  /** The API refused the form for any other reason. */
  | { readonly kind: 'refused' }
  /** No response of the API came: it may have saved the appointment or not. */
  | { readonly kind: 'unanswered' }
  /** Nothing was sent, because the form is being sent or has been sent. */
  | { readonly kind: 'busy' };

interface Conflict {
  readonly kind: 'conflict';
  /** `service_changed` for a 422 about the service; undefined when the API has named none. */
  readonly reason: RefusalReason | undefined;
  /** Free times near to one that is taken. */
  readonly nearest: readonly Slot[];
  /** Designs like one that is gone. */
  readonly alike: readonly AlikeDesign[];
}

/** The design that the client books; without an `id` there is none. */
export interface ChosenDesign {
  readonly id: string | null;
  /** Whether the API has refused it: the client must choose another, or go on without it. */
  readonly isGone: boolean;
  /** Designs that the client can book in its place. */
  readonly alike: readonly AlikeDesign[];
}

interface InvalidField {
  readonly field: DetailField;
  readonly message: string;
}

/** The statuses with which a proxy answers in place of the API. */
const GATEWAY_STATUSES: readonly number[] = [502, 504];
const ERROR_TITLE = 'Something went wrong.';
const NOTHING_LOST_TEXT = 'Everything you typed is still here and it is safe to try again.';
const NO_RESPONSE_TEXT = `The connection was lost, so we cannot tell whether this was sent. ${NOTHING_LOST_TEXT}`;

/** Shown when the API has already stored an earlier version of the form, to which the answer was lost. */
const FIRST_VERSION_TITLE = 'Your first version was kept.';
const FIRST_VERSION_TEXT =
  'It had arrived before you changed it. Please write to the artist to change it.';

/** The fields of the request's body that are not fields of the form. */
interface OtherFields {
  readonly design_id: string | null;
  /** The client's earlier unconfirmed hold, which this request replaces. */
  readonly replaces: string | null;
}

/**
 * The sending of one form, and the design that it books.
 * @param username the artist's; a success deletes what the client typed for this artist
 * @param designId the design that the client chose; null for none
 */
export function createSubmission(username: string, designId: string | null) {
  const $submission = atom<Submission>('idle');
  const $design = atom<ChosenDesign>({ id: designId, isGone: false, alike: [] });

  /** Sends the form with `send`, which makes the request with these headers and other fields. */
  async function submit(
    send: (header: ProofOfWorkHeader, others: OtherFields) => Promise<Confirmation>,
  ): Promise<SubmitResult> {
    if ($submission.get() !== 'idle') return { kind: 'busy' };
    $submission.set('sending');
    closeErrorToasts();
    const design_id = $design.get().id;
    const replaces = readHold(username)?.appointmentId ?? null;
    try {
      const confirmation = await sendWithProofOfWork(
        (header) => send(header, { design_id, replaces }),
        () => $submission.set('working'),
      );
      const { id, status, start, lapses_at, differs_from_request: differs } = confirmation;
      // While the time is not confirmed, what was typed stays, for booking another time.
      const details = readBookingDraft(username).details ?? BLANK_DETAILS;
      clearBookingDraft(username);
      if (!differs) saveRequestedEmail(confirmation, details.email);
      if (status === 'held' && start !== null) {
        saveBookingDraft(username, { details });
        saveHold(username, {
          appointmentId: id,
          start,
          details,
          until: lapses_at ?? start,
          isReserved: lapses_at !== null,
        });
      }
      if (differs) showSuccessToastOnNextPage(FIRST_VERSION_TITLE, FIRST_VERSION_TEXT);
      $submission.set('sent');
      return { kind: 'sent', id };
    } catch (error) {
      $submission.set('idle');
      const result = showFailure(error);
      if (result.kind === 'conflict' && result.reason === 'design_not_available')
        $design.set({ id: design_id, isGone: true, alike: result.alike });
      return result;
    }
  }

  return {
    $submission,
    $design,
    submit,
    /** Goes on without the design. */
    dropDesign(): void {
      closeErrorToasts();
      $design.set({ id: null, isGone: false, alike: [] });
    },
    /** Allows sending again, after the browser restores the page from its back/forward cache. */
    resetSubmission: () => $submission.set('idle'),
  };
}

/** Shows the first error that no field of the form can show in a toast. @returns the result for the form */
function showFailure(error: unknown): SubmitResult {
  if (!(error instanceof ApiError) || GATEWAY_STATUSES.includes(error.status)) {
    showErrorToast(ERROR_TITLE, NO_RESPONSE_TEXT);
    return { kind: 'unanswered' };
  }
  const items = typeof error.detail === 'string' ? [] : error.detail;
  const fields = items.map(toInvalidField).filter((field) => field !== null);
  const itemWithoutField = items.find((item) => toInvalidField(item) === null);
  if (fields.length === 0 || itemWithoutField)
    showErrorToast(
      ERROR_TITLE,
      error.status === 500
        ? `${formatError(error)} ${NOTHING_LOST_TEXT}`
        : (itemWithoutField?.msg ?? formatError(error)),
    );
  if (fields.length > 0) return { kind: 'invalid', fields };
  if (items.some(({ type }) => type === SERVICE_CHANGED_TYPE))
    return { kind: 'conflict', reason: 'service_changed', nearest: [], alike: [] };
  if (error.status !== 409) return { kind: 'refused' };
  const { reason, nearest, alike } = error;
  return { kind: 'conflict', reason, nearest, alike };
}

/** The field of the form that an error of the API is about; null if the form has no such field. */
function toInvalidField({ loc, msg }: ValidationItem): InvalidField | null {
  const field = loc[0] === 'body' ? toDetailField(loc[1]) : null;
  return field === null ? null : { field, message: msg };
}
