/** Every expected "no" that the product can answer; the API turns each into a status and words. */
export type RefusalReason =
  | 'wrong_login'
  | 'artist_inactive'
  | 'wrong_password'
  | 'unusable_token'
  | 'not_signed_in'
  | 'not_allowed'
  | 'login_too_old'
  | 'not_found'
  | 'time_taken'
  | 'wrong_flow'
  | 'state_moved'
  | 'stale_version'
  | 'not_over'
  | 'client_email_taken'
  | 'key_reused'
  | 'not_taking_bookings'
  | 'mail_no_longer_so'
  | 'already_subscribed'
  | 'not_subscribed'
  | 'bad_signature'
  | 'billing_off'
  | 'billing_unreachable'
  | 'username_taken'
  | 'email_taken'
  | 'too_large'
  | 'wrong_media_type'
  | 'picture_too_heavy'
  | 'pictures_too_heavy'
  | 'picture_too_large'
  | 'too_many_pictures'
  | 'not_a_picture'
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
  readonly loc: readonly (string | number)[];

  constructor(loc: readonly (string | number)[], message: string) {
    super(message);
    this.name = 'InvalidInput';
    this.loc = loc;
  }
}
