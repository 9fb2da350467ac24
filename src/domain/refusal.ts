/** Every expected "no" that the product can answer; the API turns each into a status and words. */
export type RefusalReason =
  | 'wrong_login'
  | 'artist_inactive'
  | 'not_signed_in'
  | 'not_found'
  | 'time_taken'
  | 'wrong_flow'
  | 'state_moved'
  | 'stale_version'
  | 'key_reused'
  | 'username_taken'
  | 'email_taken'
  | 'too_large'
  | 'wrong_media_type'
  | 'too_many'
  | 'busy'
  | 'unavailable';

/** A typed "no". Anything else that is thrown is a bug. */
export class Refusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(reason);
    this.name = 'Refusal';
    this.reason = reason;
  }
}

/** Use as `throw refuse('time_taken')`. */
export function refuse(reason: RefusalReason): Refusal {
  return new Refusal(reason);
}

/** What was sent does not fit what it refers to; answered like any other invalid input. */
export class InvalidInput extends Error {
  /** Where in the request, such as `['body', 'end']`. */
  readonly loc: readonly string[];

  constructor(loc: readonly string[], message: string) {
    super(message);
    this.name = 'InvalidInput';
    this.loc = loc;
  }
}
