/** The status and text of every error, for the body `{ detail }` of the API contract. */
import type { ValidationItem } from '#contract/common.ts';
import type { RefusalReason } from '#domain/refusal.ts';
import { NOT_TAKING_BOOKINGS_TEXT } from '#domain/subscription.ts';

/**
 * The HTTP status of each refusal, and its text for a person. A wrong login or password is 400,
 * because 401 tells clients that their access token is missing or invalid.
 */
export const REFUSALS: Record<RefusalReason, { status: number; detail: string }> = {
  wrong_login: { status: 400, detail: 'Incorrect email or password' },
  artist_inactive: { status: 400, detail: 'This account is not active' },
  wrong_password: { status: 400, detail: 'That is not your current password' },
  link_not_valid: {
    status: 400,
    detail: 'This link has been used or has run out. Please ask for a new one.',
  },
  not_signed_in: { status: 401, detail: 'Please log in' },
  not_allowed: { status: 403, detail: 'You are not allowed to do that' },
  login_too_old: { status: 403, detail: 'Please log in again before you do that' },
  not_found: { status: 404, detail: 'Not found' },
  time_taken: {
    status: 409,
    detail: 'That time is no longer available. Please pick another.',
  },
  wrong_scheduling_type: { status: 409, detail: 'This artist does not take this kind of booking.' },
  status_changed: {
    status: 409,
    detail: 'This appointment has changed in the meantime and no longer allows that.',
  },
  stale_version: {
    status: 409,
    detail: 'This appointment was changed elsewhere. Reload it and try again.',
  },
  not_deletable: {
    status: 409,
    detail: 'Only declined, expired and cancelled appointments can be deleted.',
  },
  client_email_taken: { status: 409, detail: 'Another client of yours has this email' },
  idempotency_key_reused: {
    status: 409,
    detail: 'This was already sent with other details. Please reload the page and try again.',
  },
  not_taking_bookings: { status: 409, detail: NOT_TAKING_BOOKINGS_TEXT },
  mail_outdated: {
    status: 409,
    detail: 'What this mail says is no longer so, or it is on its way already.',
  },
  already_subscribed: { status: 409, detail: 'You have a subscription already' },
  not_subscribed: { status: 409, detail: 'You have no subscription to manage yet' },
  webhook_signature_invalid: { status: 400, detail: 'The signature does not fit' },
  billing_off: { status: 503, detail: 'Subscriptions are not set up here' },
  billing_unreachable: {
    status: 503,
    detail: 'The card provider cannot be reached right now. Please try again soon.',
  },
  username_taken: { status: 409, detail: 'This username is already taken' },
  email_taken: { status: 409, detail: 'An account with this email already exists' },
  body_too_large: { status: 413, detail: 'What you sent is too large' },
  wrong_media_type: { status: 415, detail: 'The Content-Type does not fit this call' },
  file_too_large: { status: 413, detail: 'A picture may have at most 15 MB' },
  upload_too_large: {
    status: 413,
    detail: 'At most 20 pictures of 15 MB each can be sent at once',
  },
  too_many_pixels: { status: 413, detail: 'A picture may have at most 50 megapixels' },
  too_many_pictures: { status: 413, detail: 'At most 20 pictures can be sent at once' },
  not_a_picture: {
    status: 415,
    detail: 'Only JPEG, PNG, WebP and AVIF pictures can be used',
  },
  rate_limited: { status: 429, detail: 'Too many tries. Please wait a moment and try again.' },
  busy: { status: 503, detail: 'A lot is going on right now. Please try again.' },
  unavailable: { status: 503, detail: 'A part of the service is down. Please try again soon.' },
};

/** `Retry-After` of every 503: short, because a restart or a moment of high load is soon over. */
export const RETRY_AFTER_SECONDS = 10;

/** An error as a client of the API sees it. */
export interface ErrorAnswer {
  readonly status: number;
  /** A text for people; for invalid input a list of all errors, as the API contract demands. */
  readonly detail: string | ValidationItem[];
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer to a refused call. `headers` add to those of its status or replace them. */
export function refusalAnswer(
  reason: RefusalReason,
  headers: Readonly<Record<string, string>> = {},
): ErrorAnswer {
  const { status, detail } = REFUSALS[reason];
  return { status, detail, headers: { ...headersOfStatus(status), ...headers } };
}

/** The answer to invalid input. */
export function validationAnswer(detail: readonly ValidationItem[]): ErrorAnswer {
  return { status: 422, detail: [...detail], headers: {} };
}

/** The response to a request without a route, such as one for an unknown path. */
export function refusalResponse(reason: RefusalReason): Response {
  return toErrorResponse(refusalAnswer(reason));
}

export function toErrorResponse({ status, detail, headers }: ErrorAnswer): Response {
  return Response.json({ detail }, { status, headers });
}

function headersOfStatus(status: number): Record<string, string> {
  if (status === 401) return { 'WWW-Authenticate': 'Bearer' };
  return status === 503 ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : {};
}
