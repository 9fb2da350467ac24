// Design requests: the client asks the artist to set an appointment's time. A design is optional.
import type { AppointmentForm } from '#contract/appointment_form.ts';
import { requestDesign } from '#contract/client_endpoints.ts';
import { callPublic } from './api.ts';
import { readBookingDraft, saveBookingDraft } from './booking_draft.ts';
import { createIdempotencyKey } from './idempotency_key.ts';
import { createSubmission, type SubmitResult } from './submission.ts';

interface DesignRequestOptions {
  readonly username: string;
  /** Null when the client has not chosen a design. */
  readonly designId: string | null;
  /** Null when the client has not chosen a service. */
  readonly serviceId: string | null;
}

/** The request form of one artist. */
export function createDesignRequest({ username, designId, serviceId }: DesignRequestOptions) {
  const { submit, ...submission } = createSubmission(username, designId);

  let idempotencyKey: string | null = null;

  /** The same key until a success or a conflict, even after a reload of the page. */
  function getIdempotencyKey(): string {
    idempotencyKey ??= readBookingDraft(username).requestIdempotencyKey ?? createIdempotencyKey();
    saveBookingDraft(username, { requestIdempotencyKey: idempotencyKey });
    return idempotencyKey;
  }

  /** Sends the request. */
  async function submitRequest(details: AppointmentForm): Promise<SubmitResult> {
    const result = await submit((proof, others) =>
      callPublic(requestDesign, {
        query: { username },
        header: { 'idempotency-key': getIdempotencyKey(), ...proof },
        body: { ...details, ...others, service_id: serviceId },
      }),
    );
    // The key of a sent request is used up; a conflict may mean that an earlier request used it.
    if (result.kind === 'sent' || result.kind === 'conflict') idempotencyKey = null;
    // After `sent`, `submit` has deleted the whole draft.
    if (result.kind === 'conflict') saveBookingDraft(username, { requestIdempotencyKey: null });
    return result;
  }

  return { ...submission, submitRequest };
}
