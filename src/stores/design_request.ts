import { requestDesign } from '#client/appointments.ts';
import type { AppointmentForm } from '#contract/appointment_form.ts';
import { publicApi } from './api.ts';
import { readBookingDraft, saveBookingDraft } from './booking_draft.ts';
import { createIdempotencyKey } from './idempotency_key.ts';
import { createSubmission, type SubmitResult } from './submission.ts';

export interface DesignRequestOptions {
  readonly username: string;
  readonly designId: string | null;
}

/** The managed flow: the client asks, the artist sets the time. */
export function createDesignRequest({ username, designId }: DesignRequestOptions) {
  const { $submission, submit, reset: resetSubmission } = createSubmission(username);

  let key: string | null = null;

  /** One key for the form, also after a reload. */
  function idempotencyKey(): string {
    key ??= readBookingDraft(username).requestIdempotencyKey ?? createIdempotencyKey();
    saveBookingDraft(username, { requestIdempotencyKey: key });
    return key;
  }

  async function submitRequest(details: AppointmentForm): Promise<SubmitResult> {
    const answer = await submit(() =>
      requestDesign(publicApi(), username, { ...details, design_id: designId }, idempotencyKey()),
    );
    if (answer.kind === 'sent' || answer.kind === 'conflict') key = null;
    if (answer.kind === 'conflict') saveBookingDraft(username, { requestIdempotencyKey: null });
    return answer;
  }

  return { $submission, submitRequest: submitRequest, resetSubmission: resetSubmission };
}
