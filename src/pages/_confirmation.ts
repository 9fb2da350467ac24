import { MAIL_TOKEN_PATTERN } from '#contract/appointment.ts';
import { isNotFound } from './_artist.ts';

/** Anyone with the URL may confirm the appointment: never cache it, index it or leak it. */
export const CONFIRMATION_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

/** Seconds until browsers and mail programs may try again. */
const RETRY_AFTER = '30';

/** The appointment of a page. `missing`: there is none with this id; `unreachable`: the API does not answer. */
export type LoadedAppointment<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'missing' | 'unreachable' };

/** Loads an appointment for its page. Never rejects. @param answer of the API */
export async function loadAppointment<T>(answer: Promise<T>): Promise<LoadedAppointment<T>> {
  try {
    return { kind: 'found', value: await answer };
  } catch (error) {
    return { kind: isNotFound(error) ? 'missing' : 'unreachable' };
  }
}

export function confirmationResponse(kind: LoadedAppointment<unknown>['kind']): {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
} {
  if (kind === 'found') return { status: 200, headers: CONFIRMATION_HEADERS };
  if (kind === 'missing') return { status: 404, headers: CONFIRMATION_HEADERS };
  return { status: 503, headers: { ...CONFIRMATION_HEADERS, 'Retry-After': RETRY_AFTER } };
}

/** Why a mailed link that changes the email does nothing. A whole link that is not valid always has one text. */
export function changeLinkProblem(changeToken: string): string {
  return MAIL_TOKEN_PATTERN.test(changeToken)
    ? 'This link no longer works: it was used, it has expired, or a newer one was mailed.'
    : 'This link is not complete. Please open the one in our mail once more.';
}
