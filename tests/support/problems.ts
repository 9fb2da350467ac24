import { expect } from 'vitest';
import { ValidationProblem } from '#contract/common.ts';
import type { ApiResponse } from './call_api.ts';

/** Responses with a problem. Compare with `toMatchObject`. */
export const TIME_TAKEN = problem(409, 'That time is no longer available. Please pick another.');
export const WRONG_FLOW = problem(409, 'This artist does not take this kind of booking.');
export const SERVICE_GONE = problem(
  409,
  'This service is no longer available. Please choose again.',
);
export const DESIGN_GONE = problem(409, 'This design is no longer available.');
export const OFFER_ENDED = problem(409, 'This offer has ended. Your request is still open.');
export const NOT_SIGNED_IN = problem(401, 'Please log in');
export const NOT_FOUND = problem(404, 'Not found');
export const TOO_LARGE = problem(413, 'What you sent is too large');
export const WRONG_MEDIA_TYPE = problem(415, 'The Content-Type does not fit this call');
export const UNAVAILABLE = problem(503, 'A part of the service is down. Please try again soon.');

/** An id that does not exist. */
export const UNKNOWN_ID = '4d7f6e0a-0d5c-4a57-9d0e-6b1f0f3c2a11';

function problem(status: number, detail: string) {
  return { status, body: { detail } };
}

/** A 422 with one validation error. */
export function validationProblem(loc: readonly (string | number)[], msg: string) {
  return { status: 422, body: { detail: [{ type: expect.any(String), loc, msg }] } };
}

/** The first message of each location in a 422: `{'body.email': 'Email is required'}`. */
export function validationMessages({
  status,
  body,
}: Pick<ApiResponse, 'status' | 'body'>): Record<string, string> {
  if (status !== 422) throw new Error(`${status} ${JSON.stringify(body)}`);
  const { detail } = ValidationProblem.parse(body);
  const first: Record<string, string> = {};
  for (const { loc, msg } of detail) first[loc.join('.')] ??= msg;
  return first;
}
