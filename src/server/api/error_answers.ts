/** The status and text of every error of the API; the body has `detail`, and `reason` for a refusal. */

import { USERNAME_TAKEN_TEXT } from '#contract/account_form.ts';
import {
  BOOKS_CLOSED_TEXT,
  DESIGN_NOT_AVAILABLE_TEXT,
  OFFER_ENDED_TEXT,
} from '#contract/booking_refusals.ts';
import type { ValidationItem } from '#contract/common.ts';
import type { RefusalDetails } from '#contract/endpoint.ts';
import { NOT_TAKING_BOOKINGS_TEXT } from '#domain/accounts/subscription.ts';
import { type RateLimited, type RefusalReason, SERVICE_CHANGED_TEXT } from '#domain/refusal.ts';
import { FOREIGN_PAGE_TEXT } from '#domain/requests/foreign_post.ts';
import {
  MAX_CLIENTS,
  MAX_DESIGNS,
  MAX_FORMER_USERNAMES,
  MAX_PAYMENTS,
  MAX_PORTFOLIO_PICTURES,
  MAX_SERVICES,
} from '#domain/requests/list_limits.ts';
import { formatDuration } from '#domain/time/duration.ts';

const BUSY_TEXT = 'A lot is going on right now. Please try again.';
/** Stands for the time to wait in the text of a limit. */
const WAIT = 'N minutes';
/** Stands for the names and times of two appointments that overlap. */
const TWO_APPOINTMENTS = 'two of your appointments';

/**
 * The text of each refusal for a person, and its HTTP status unless it is 409. A wrong login or password
 * is 400, because 401 tells clients that their access token is missing or invalid.
 */
const REFUSALS: Record<RefusalReason, string | readonly [status: number, detail: string]> = {
  wrong_login: [400, 'Incorrect email or password'],
  artist_inactive: [400, 'This account is not active'],
  // For a superuser; `artist_inactive` is for the account's owner.
  account_not_active: 'This account is not active. Activate it first.',
  wrong_password: [400, 'That is not your current password'],
  link_not_valid: [400, 'This link has been used or has run out. Please ask for a new one.'],
  passkey_not_valid: [
    400,
    'This passkey does not work here. Try again, or log in with your password.',
  ],
  too_many_passkeys: 'You have 20 passkeys, which is the limit. Remove one to add another.',
  not_signed_in: [401, 'Please log in'],
  not_allowed: [403, 'You are not allowed to do that'],
  foreign_page: [403, FOREIGN_PAGE_TEXT],
  deletion_too_soon:
    'The password or the email of this account was changed by a mailed link within the last seven days. To protect you, it cannot be deleted yet.',
  not_found: [404, 'Not found'],
  time_taken: 'That time is no longer available. Please pick another.',
  buffer_touched: 'That time leaves no buffer beside another appointment.',
  wrong_scheduling_type: 'This artist does not take this kind of booking.',
  status_changed: 'This appointment has changed in the meantime and no longer allows that.',
  stale_version: 'This appointment was changed elsewhere. Reload it and try again.',
  stale_notes: 'These notes were changed elsewhere in the meantime. Nothing was saved.',
  // For a client; `stale_version` is for the artist.
  appointment_changed: 'This appointment has changed in the meantime. Please look at it once more.',
  offer_ended: OFFER_ENDED_TEXT,
  not_begun: 'This appointment has not begun yet.',
  cancelling_not_allowed: 'This appointment cannot be cancelled here. Please write to the artist.',
  moving_not_allowed: 'This appointment cannot be moved here. Please write to the artist.',
  too_late_to_cancel: 'It is too late to cancel this here. Please write to the artist.',
  too_late_to_move: 'It is too late to move this here. Please write to the artist.',
  too_many_email_changes:
    'The email of this appointment was changed twice already. Please write to the artist.',
  data_request_too_soon:
    'You asked for this within the last 30 days, and the artist has marked it as done. Please write to the artist.',
  service_not_available: 'This service is no longer available. Please choose again.',
  service_changed: SERVICE_CHANGED_TEXT,
  design_not_available: DESIGN_NOT_AVAILABLE_TEXT,
  // For the artist; `design_not_available` is for a client.
  editions_used_up:
    'This design is taken as often as it may be tattooed. Raise that number in the design, or choose another one.',
  wrong_client: 'The next session must be with the same client.',
  too_many_payments: `An appointment has at most ${MAX_PAYMENTS} payments.`,
  not_deletable: 'Only declined, expired and cancelled appointments can be deleted.',
  clock_times_overlap: `At these clock times, ${TWO_APPOINTMENTS} would overlap, breaks included. Move one of them first, or do not keep the clock times.`,
  undo_too_late: 'It is too late to undo this.',
  undo_time_taken:
    'A time that one of your appointments had before has been booked since, so this cannot be undone.',
  // For the artist; `time_taken` is for a client, who picks another.
  reopened_time_taken:
    'Another appointment has taken a part of this time since, so this one cannot be booked again.',
  client_email_taken: 'Another client of yours has this email',
  notes_too_long:
    'The notes of both clients together are longer than 10,000 characters. Shorten one of them first.',
  data_request_not_proven:
    'Please open this page by the link in a mail about your appointment, and ask there, or write to the artist. So the artist knows that it is you.',
  same_client: 'A client cannot be merged with itself.',
  client_has_appointment:
    'This client still has an appointment, a request or an offer ahead. Cancel it first.',
  client_mail_queued: 'A mail to this client is still on its way. Please try again in a minute.',
  too_many_services: `You have ${format(MAX_SERVICES)} services, which is the limit. Delete one to add another.`,
  too_many_designs: `You have ${format(MAX_DESIGNS)} designs, which is the limit. Delete one to add another.`,
  too_many_portfolio_pictures: `A portfolio has at most ${format(MAX_PORTFOLIO_PICTURES)} pictures. Delete some to add others.`,
  too_many_usernames: `You have had ${MAX_FORMER_USERNAMES} other usernames, which is the limit. Take one of them again.`,
  too_many_clients: `You have ${format(MAX_CLIENTS)} clients, which is the limit.`,
  idempotency_key_reused:
    'This was already sent with other details. Please reload the page and try again.',
  sender_blocked: [403, 'This artist does not take requests from here.'],
  email_not_proven:
    'This appointment is confirmed with the link that we mailed to you. Please open it.',
  move_not_proven:
    'Many times of this artist are booked from where you are. To move yours, please open the link that we mailed to you, and move it there.',
  mail_token_not_valid:
    'This is not the link that we mailed to you for this appointment. Please open the link in the mail once more.',
  sender_took_share:
    'Many times of this artist are booked with addresses like yours. Please write to the artist about this one.',
  not_taking_bookings: NOT_TAKING_BOOKINGS_TEXT,
  books_closed: BOOKS_CLOSED_TEXT,
  mail_outdated: 'What this mail says is no longer so, or it is on its way already.',
  already_subscribed: 'You have a subscription already',
  not_subscribed: 'You have no subscription to manage yet',
  webhook_signature_invalid: [400, 'The signature does not fit'],
  billing_off: [503, 'Subscriptions are not set up here'],
  billing_unreachable: [
    503,
    'The card provider cannot be reached right now. Please try again soon.',
  ],
  username_taken: USERNAME_TAKEN_TEXT,
  email_taken: 'An account with this email already exists',
  body_too_large: [413, 'What you sent is too large'],
  wrong_method: [405, 'This address does not take this method'],
  wrong_media_type: [415, 'The Content-Type does not fit this call'],
  file_too_large: [413, 'A picture may have at most 15 MB'],
  upload_stalled: [408, 'The upload was too slow. Please try again with a better connection.'],
  uploads_full: [503, 'Too many pictures are being uploaded right now. Please try again soon.'],
  upload_too_large: [413, 'At most 20 pictures of 15 MB each can be sent at once'],
  too_many_pixels: [413, 'A picture may have at most 50 megapixels'],
  too_many_pictures: [413, 'At most 20 pictures can be sent at once'],
  too_many_whole_pixels: [
    413,
    'A WebP, a progressive JPEG or an interlaced PNG may have at most 24 megapixels',
  ],
  too_many_expensive_pixels: [
    413,
    'An AVIF, or an interlaced PNG with 16 bits a color, may have at most 12.5 megapixels',
  ],
  picture_too_long: [413, 'A picture may be at most 16,384 pixels wide and 16,384 pixels high'],
  too_much_picture_text: [
    413,
    'This picture contains too many texts. Please save it without metadata.',
  ],
  not_a_picture: [415, 'Only JPEG, PNG, WebP and AVIF pictures can be used'],
  proof_of_work_required: [
    429,
    'Many requests are coming in. Please send it again with the solution of the `challenge`.',
  ],
  rate_limited: [429, `Too many tries. Please try again in ${WAIT}.`],
  too_many_wrong_logins: [
    429,
    `Too many wrong passwords for this account. Try again in ${WAIT}, from a browser where you have logged in before, or choose a new password by email.`,
  ],
  too_many_wrong_logins_of_network: [
    429,
    `Too many wrong passwords from your network. Try again in ${WAIT}, from a browser where you have logged in before, or choose a new password by email.`,
  ],
  too_many_wrong_passwords: [
    429,
    `Too many wrong passwords. Try again in ${WAIT}, or choose a new password by email.`,
  ],
  too_many_proof_mails: [
    429,
    `This address has had several mails. Look for the link in them and in your spam folder, or try again in ${WAIT}.`,
  ],
  inbox_full: [429, 'This artist’s inbox is full right now. Please try again later.'],
  inbox_full_for_network: [
    429,
    'The artist has yet to read many messages from your network. Please try again later.',
  ],
  busy: [503, BUSY_TEXT],
  overloaded: [503, BUSY_TEXT],
  unavailable: [503, 'A part of the service is down. Please try again soon.'],
};

/** Every reason of a refusal. */
export const REFUSAL_REASONS = Object.keys(REFUSALS).filter(
  (key): key is RefusalReason => key in REFUSALS,
);

function format(count: number): string {
  return count.toLocaleString('en-US');
}

/** `Retry-After` of every 503: short, because a restart or a moment of high load is soon over. */
export const RETRY_AFTER_SECONDS = 10;

/** An error as a client of the API sees it. `requestId` is unset in an answer to no HTTP request. */
export interface ErrorAnswer extends RefusalDetails {
  readonly status: number;
  /** A text for people; for invalid input the list of errors. */
  readonly detail: string | ValidationItem[];
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer to a refused call. `headers` add to those of its status or replace them. */
export function refusalAnswer(
  reason: RefusalReason,
  headers: Readonly<Record<string, string>> = {},
): ErrorAnswer & { readonly detail: string } {
  const refusal = REFUSALS[reason];
  const [status, detail] = typeof refusal === 'string' ? ([409, refusal] as const) : refusal;
  return { status, reason, detail, headers: { ...headersOfStatus(status), ...headers } };
}

/** The answer to a change after which two appointments would overlap; `first` and `second` name them. */
export function overlapAnswer(reason: RefusalReason, [first, second]: readonly [string, string]) {
  const answer = refusalAnswer(reason);
  const detail = answer.detail.replace(TWO_APPOINTMENTS, () => `${first} and ${second}`);
  return { ...answer, detail };
}

/** The answer to a call beyond a limit, with the time to wait. */
export function rateLimitedAnswer({ reason, retryAfterSeconds }: RateLimited): ErrorAnswer {
  const minutes = Math.max(1, Math.ceil(retryAfterSeconds / 60));
  const answer = refusalAnswer(reason, { 'Retry-After': String(retryAfterSeconds) });
  // A long time in whole hours, rounded up.
  const wait = formatDuration(minutes > 90 ? 60 * Math.ceil(minutes / 60) : minutes);
  return { ...answer, detail: answer.detail.replace(WAIT, wait) };
}

/** The answer to invalid input. */
export function validationAnswer(detail: readonly ValidationItem[]): ErrorAnswer {
  return { status: 422, detail: [...detail], headers: {} };
}

/** Why a call failed, for the log and the metrics; `failed` stands for an error that is a bug. */
export function reasonToLog({ reason, status }: ErrorAnswer) {
  return reason ?? (status === 422 ? 'invalid_input' : 'failed');
}

/** The response of the API with an error. */
export function toErrorResponse(answer: ErrorAnswer): Response {
  const { status, detail, headers, reason, requestId, challenge, nearest, alike } = answer;
  // JSON leaves out what is undefined.
  const body = { detail, reason, request_id: requestId, challenge, nearest, alike };
  return Response.json(body, { status, headers });
}

function headersOfStatus(status: number): Record<string, string> {
  if (status === 401) return { 'WWW-Authenticate': 'Bearer' };
  return status === 503 ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : {};
}
