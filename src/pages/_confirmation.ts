import { MAIL_TOKEN_PATTERN } from '#contract/appointment.ts';
import { isNotFound } from './_artist.ts';

/** Of a page about an appointment. Anyone with its URL may confirm the appointment: never cache, index or leak it. */
export const CONFIRMATION_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

/** Seconds until browsers and mail programs may try again. */
const RETRY_AFTER = '30';

/** The appointment of a page. `missing`: none has this id; `unreachable`: the API failed or does not answer. */
type LoadedAppointment<T> =
  | { readonly kind: 'found'; readonly value: T }
  | { readonly kind: 'missing' | 'unreachable' };

/** Waits for the API's answer with the appointment of a page. Never rejects. */
export async function loadAppointment<T>(answer: Promise<T>): Promise<LoadedAppointment<T>> {
  try {
    return { kind: 'found', value: await answer };
  } catch (error) {
    return { kind: isNotFound(error) ? 'missing' : 'unreachable' };
  }
}

/** The status and the headers of a page about an appointment. */
export function confirmationResponse(kind: LoadedAppointment<unknown>['kind']): {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
} {
  if (kind === 'found') return { status: 200, headers: CONFIRMATION_HEADERS };
  if (kind === 'missing') return { status: 404, headers: CONFIRMATION_HEADERS };
  return { status: 503, headers: { ...CONFIRMATION_HEADERS, 'Retry-After': RETRY_AFTER } };
}

/** Why a mailed link that changes the email does nothing. The API does not say why a complete link is not valid. */
export function changeLinkProblem(changeToken: string): string {
  return MAIL_TOKEN_PATTERN.test(changeToken)
    ? 'This link no longer works: it was used, it has expired, or a newer one was mailed.'
    : 'This link is not complete. Please open the one in our mail once more.';
}
