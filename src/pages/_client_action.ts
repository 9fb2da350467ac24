/** The forms of an appointment's page that its client posts without JavaScript. */
import * as z from 'zod/mini';
import { ApiError, call, formatError } from '#client/call.ts';
import { ACTION_ENDPOINTS, type ClientActionCall } from '#client/client_action.ts';
import type { Slot } from '#contract/availability.ts';
import type { Transport } from '#contract/endpoint.ts';
import type { RefusalReason } from '#domain/refusal.ts';
import { readPostedForm, textField } from './_posted_form.ts';

/** An action that could not be done, as the page shows it. */
export interface RefusedForm {
  /** The page's HTTP status. */
  readonly status: number;
  readonly text: string;
  readonly reason?: RefusalReason | undefined;
  readonly isInvalidEmail: boolean;
  /** The version that was to be confirmed, if the API refused to; else undefined. */
  readonly confirmedVersion: number | undefined;
  readonly nearest: readonly Slot[];
  /** The typed texts, so that they are not lost. */
  readonly typed: { readonly note: string; readonly email: string };
}

/** The tokens of the mailed link with which the page was opened; null without. */
interface LinkTokens {
  /** Proves the client's email. */
  readonly mailToken: string | null;
  /** Agrees to another email of the appointment. */
  readonly changeToken: string | null;
}

/** The longest valid note is shorter, even with every character escaped. */
const MAX_BYTES = 64 * 1024;

const Version = z.pipe(z.string(), z.transform(Number));
const OptionalText = z._default(z.string(), '');

/** The fields of the forms of `ActionForm.tsx`. A client moves an appointment in a calendar, so that has no form. */
const PostedAction = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('confirm'),
    version: Version,
    time_id: z.optional(z.string()),
  }),
  z.object({ action: z.literal('release') }),
  z.object({ action: z.enum(['decline', 'cancel']), note: OptionalText, version: Version }),
  z.object({ action: z.literal('change_email'), email: OptionalText }),
  z.object({ action: z.literal('prove_email_change') }),
  z.object({ action: z.enum(['ask_copy', 'ask_erasure']) }),
]);
type PostedAction = z.output<typeof PostedAction>;

/**
 * Runs the action of a posted form. Browsers post before the page's scripts run, and without them.
 * @returns the action if it is done, else why it was refused
 */
export async function runPostedAction(
  api: Transport,
  appointmentId: string,
  request: Request,
  tokens: LinkTokens,
): Promise<RefusedForm | { readonly done: ClientActionCall['kind'] }> {
  const read = await readPostedForm(request, MAX_BYTES);
  const form = read ?? new FormData();
  const typed = { note: textField(form, 'note'), email: textField(form, 'email') };
  const refused = { isInvalidEmail: false, confirmedVersion: undefined, nearest: [], typed };
  const posted = PostedAction.safeParse(Object.fromEntries(form));
  if (!posted.success)
    return { ...refused, status: read ? 400 : 413, text: 'Please try that again.' };
  try {
    const action = toClientAction(posted.data, tokens);
    const input = { path: { appt_id: appointmentId }, body: action.body };
    await call(api, ACTION_ENDPOINTS[action.kind], input);
    return { done: action.kind };
  } catch (error) {
    const text = formatError(error);
    if (!(error instanceof ApiError)) return { ...refused, status: 503, text };
    const { status, reason, nearest } = error;
    const isInvalidEmail = status === 422 && posted.data.action === 'change_email';
    const isRefused = status === 409 || status === 403;
    const confirmedVersion =
      isRefused && posted.data.action === 'confirm' ? posted.data.version : undefined;
    return { status, text, reason, isInvalidEmail, confirmedVersion, nearest, typed };
  }
}

function toClientAction(
  posted: PostedAction,
  { mailToken, changeToken }: LinkTokens,
): ClientActionCall {
  const proof = mailToken === null ? {} : { mail_token: mailToken };
  switch (posted.action) {
    case 'confirm': {
      const { version, time_id } = posted;
      const body = { version, ...(time_id !== undefined && { time_id }), ...proof };
      return { kind: 'confirm', body };
    }
    case 'release':
      return { kind: 'release' };
    case 'decline':
    case 'cancel':
      return { kind: posted.action, body: { note: posted.note, version: posted.version } };
    case 'change_email':
      return { kind: 'change_email', body: { email: posted.email, ...proof } };
    case 'prove_email_change':
      return { kind: 'prove_email_change', body: { change_token: changeToken ?? '' } };
    case 'ask_copy':
      return { kind: 'ask_copy', body: { kind: 'copy', ...proof } };
    case 'ask_erasure':
      return { kind: 'ask_erasure', body: { kind: 'erasure', ...proof } };
  }
}
