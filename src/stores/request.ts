import { requestDesign } from '#client/appointments.ts';
import type { AppointmentForm } from '#contract/appointment_form.ts';
import { api } from './connection.ts';
import { keepDraft, readDraft } from './draft.ts';
import { newIdempotencyKey } from './idempotency_key.ts';
import { type Answer, createSubmission } from './submission.ts';

export interface RequestOf {
  readonly username: string;
  readonly designId: string | null;
}

/** The managed flow: the client asks, the artist sets the time. */
export function createRequest({ username, designId }: RequestOf) {
  const { $submission, submit, reopen } = createSubmission(username);

  let key: string | null = null;

  /** One key for the form, also after a reload. */
  function formKey(): string {
    key ??= readDraft(username).requestKey ?? newIdempotencyKey();
    keepDraft(username, { requestKey: key });
    return key;
  }

  async function send(details: AppointmentForm): Promise<Answer> {
    const answer = await submit(() =>
      requestDesign(api(), username, { ...details, design_id: designId }, formKey()),
    );
    if (answer.kind === 'sent' || answer.kind === 'conflict') key = null;
    if (answer.kind === 'conflict') keepDraft(username, { requestKey: null });
    return answer;
  }

  return { $submission, send, reopen };
}
