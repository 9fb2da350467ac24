import type { TimeRange } from './booking/availability.ts';

/** Every expected reason to refuse a request; the API maps each to a status and a text. */
export type RefusalReason =
  | 'wrong_login'
  | 'artist_inactive'
  | 'account_not_active'
  | 'wrong_password'
  | 'link_not_valid'
  | 'passkey_not_valid'
  | 'too_many_passkeys'
  | 'not_signed_in'
  | 'not_allowed'
  | 'foreign_page'
  | 'deletion_too_soon'
  | 'not_found'
  | 'time_taken'
  | 'buffer_touched'
  | 'wrong_scheduling_type'
  | 'status_changed'
  | 'stale_version'
  | 'stale_notes'
  | 'appointment_changed'
  | 'offer_ended'
  | 'not_begun'
  | 'cancelling_not_allowed'
  | 'moving_not_allowed'
  | 'too_late_to_cancel'
  | 'too_late_to_move'
  | 'too_many_email_changes'
  | 'data_request_too_soon'
  | 'service_not_available'
  | 'service_changed'
  | 'design_not_available'
  | 'editions_used_up'
  | 'wrong_client'
  | 'too_many_payments'
  | 'not_deletable'
  | 'clock_times_overlap'
  | 'undo_too_late'
  | 'undo_time_taken'
  | 'reopened_time_taken'
  | 'client_email_taken'
  | 'client_has_appointment'
  | 'same_client'
  | 'notes_too_long'
  | 'data_request_not_proven'
  | 'client_mail_queued'
  | 'too_many_services'
  | 'too_many_designs'
  | 'too_many_portfolio_pictures'
  | 'too_many_clients'
  | 'idempotency_key_reused'
  | 'sender_blocked'
  | 'email_not_proven'
  | 'move_not_proven'
  | 'mail_token_not_valid'
  | 'sender_took_share'
  | 'not_taking_bookings'
  | 'books_closed'
  | 'mail_outdated'
  | 'already_subscribed'
  | 'not_subscribed'
  | 'webhook_signature_invalid'
  | 'billing_off'
  | 'billing_unreachable'
  | 'username_taken'
  | 'too_many_usernames'
  | 'email_taken'
  | 'body_too_large'
  | 'wrong_media_type'
  | 'wrong_method'
  | 'file_too_large'
  | 'upload_too_large'
  | 'upload_stalled'
  | 'uploads_full'
  | 'too_many_pixels'
  | 'too_many_whole_pixels'
  | 'too_many_expensive_pixels'
  | 'picture_too_long'
  | 'too_much_picture_text'
  | 'too_many_pictures'
  | 'not_a_picture'
  | 'rate_limited'
  | 'proof_of_work_required'
  | 'too_many_wrong_logins'
  | 'too_many_wrong_logins_of_network'
  | 'too_many_wrong_passwords'
  | 'too_many_proof_mails'
  | 'inbox_full'
  | 'inbox_full_for_network'
  | 'busy'
  | 'overloaded'
  | 'unavailable';

/** A design that a client can have instead of one that cannot be had. */
export interface AlikeDesign {
  readonly id: string;
  readonly name: string;
  readonly file_url: string;
}

/** What a refusal tells beside its reason. */
interface RefusalFacts {
  /** For a time that cannot be had: the free times that are nearest to it. */
  readonly nearest?: readonly TimeRange[];
  /** For a design that cannot be had: designs that are like it. */
  readonly alike?: readonly AlikeDesign[];
  /** For appointments that would overlap: which two, in words. */
  readonly overlapping?: readonly [string, string];
}

/** An expected refusal. Any other error is a bug, except for `InvalidInput`. */
export class Refusal extends Error {
  readonly reason: RefusalReason;
  readonly nearest: readonly TimeRange[];
  readonly alike: readonly AlikeDesign[];
  readonly overlapping: readonly [string, string] | undefined;

  constructor(reason: RefusalReason, { nearest = [], alike = [], overlapping }: RefusalFacts = {}) {
    super(reason);
    this.name = 'Refusal';
    this.reason = reason;
    this.nearest = nearest;
    this.alike = alike;
    this.overlapping = overlapping;
  }
}

/** A refusal without more facts. Use it as `throw refuse('time_taken')`. */
export function refuse(reason: RefusalReason): Refusal {
  return new Refusal(reason);
}

/** The reason of an expected refusal, `invalid_input` for invalid input; undefined for any other error. */
export function refusalReasonOf(error: unknown): RefusalReason | 'invalid_input' | undefined {
  if (error instanceof Refusal || error instanceof RateLimited) return error.reason;
  if (error instanceof ProofOfWorkRequired) return 'proof_of_work_required';
  return error instanceof InvalidInput ? 'invalid_input' : undefined;
}

/** Whether a rule allows something: false when it throws a `Refusal`. Throws any other error that the rule throws. */
export function isAllowed(rule: () => unknown): boolean {
  try {
    rule();
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** @throws Refusal `not_found` if `found` is undefined */
export function requireFound<T>(found: T | undefined): T {
  if (found === undefined) throw refuse('not_found');
  return found;
}

/** Too many calls or mails within a limit's period. The API answers 429. */
export class RateLimited extends Error {
  readonly retryAfterSeconds: number;
  readonly reason: RefusalReason;

  constructor(retryAfterSeconds: number, reason: RefusalReason = 'rate_limited') {
    super('Too many tries');
    this.name = 'RateLimited';
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The request must come with the solution of a proof of work. The API answers 429. */
export class ProofOfWorkRequired extends Error {
  /** The task for the browser, a value that JSON can hold. */
  readonly challenge: object;

  constructor(challenge: object) {
    super('A proof of work is required');
    this.name = 'ProofOfWorkRequired';
    this.challenge = challenge;
  }
}

/** The text of `service_changed`: the chosen time or design does not fit the service any more. */
export const SERVICE_CHANGED_TEXT = 'This service has changed. Please choose again.';

/** The `type` of an error in the API's answer, by which pages know it. */
export type InvalidInputType =
  | 'value_error'
  | 'missing'
  | 'password_too_common'
  | 'service_changed';

/** Input that the schema accepts but a rule does not. The API answers 422, as for the schema. */
export class InvalidInput extends Error {
  /** The path of the invalid field, such as `['body', 'end']`. */
  readonly loc: readonly (string | number)[];
  readonly type: InvalidInputType;

  constructor(
    loc: readonly (string | number)[],
    message: string,
    type: InvalidInputType = 'value_error',
  ) {
    super(message);
    this.name = 'InvalidInput';
    this.loc = loc;
    this.type = type;
  }
}
