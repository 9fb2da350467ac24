import { ApiError, call, formatError } from '#client/call.ts';
import { ContactMessage } from '#contract/contact.ts';
import type { Transport } from '#contract/endpoint.ts';
import { sendContactMessage } from '#contract/endpoints.ts';
import { readPostedForm, textField } from './_posted_form.ts';

type ContactFieldName = keyof ContactMessage;

/** The contact form as the page shows it, after a failed attempt with the errors. */
interface ContactForm {
  readonly values: Readonly<Record<ContactFieldName, string>>;
  readonly errors: Readonly<Partial<Record<ContactFieldName, string>>>;
  /** An error that belongs to no field. */
  readonly formError: string | null;
  /** The page's HTTP status. */
  readonly status: number;
  /** A task that the browser must solve to send the message; null for none. */
  readonly challenge: unknown;
}

export const EMPTY_CONTACT_FORM: ContactForm = {
  values: { name: '', email: '', message: '' },
  errors: {},
  formError: null,
  status: 200,
  challenge: null,
};

/** The page's script sends the message again with the solution of the challenge. */
const FULL_INBOX_TEXT =
  'This artist has very many unread messages, so your browser does a check against spam first. Without scripts, please try again later.';
/** More than the longest valid message takes with every character escaped. */
const MAX_BYTES = 128 * 1024;

/**
 * Sends the message of a posted form. Returns null if it was sent, else the form to show.
 * @param isDraft whether another page has begun the message, so that nothing is sent yet
 */
export async function submitContactForm(
  http: Transport,
  username: string,
  request: Request,
  isDraft: boolean,
): Promise<ContactForm | null> {
  const body = await readPostedForm(request, MAX_BYTES);
  if (!body)
    return { ...EMPTY_CONTACT_FORM, formError: 'Your message is too long to send.', status: 413 };
  const values = {
    name: textField(body, 'name'),
    email: textField(body, 'email'),
    message: textField(body, 'message'),
  };
  if (isDraft) return { ...EMPTY_CONTACT_FORM, values };
  const parsed = ContactMessage.safeParse(values);
  if (!parsed.success)
    return {
      ...EMPTY_CONTACT_FORM,
      values,
      errors: firstErrors(parsed.error.issues),
      status: 422,
    };
  const solution = textField(body, 'proof_of_work');
  try {
    const header = solution === '' ? {} : { 'proof-of-work': solution };
    await call(http, sendContactMessage, { path: { username }, header, body: parsed.data });
    return null;
  } catch (error) {
    return { values, ...toFormErrors(error, solution !== '') };
  }
}

/** @param hasWorked whether a solution came with the message: the page's script tries once */
function toFormErrors(error: unknown, hasWorked: boolean): Omit<ContactForm, 'values'> {
  if (!(error instanceof ApiError))
    return { errors: {}, formError: formatError(error), status: 503, challenge: null };
  const { status, challenge = null } = error;
  if (challenge !== null)
    return {
      errors: {},
      formError: FULL_INBOX_TEXT,
      status,
      challenge: hasWorked ? null : challenge,
    };
  const issues = typeof error.detail === 'string' ? [] : error.detail;
  const errors = firstErrors(issues.map(({ loc, msg }) => ({ path: loc.slice(1), message: msg })));
  const formError = Object.keys(errors).length > 0 ? null : formatError(error);
  return { errors, formError, status, challenge: null };
}

/** The first error of each field. */
function firstErrors(issues: readonly { path: readonly PropertyKey[]; message: string }[]) {
  const errors: Partial<Record<ContactFieldName, string>> = {};
  for (const { path, message } of issues) {
    const [field] = path;
    if (field === 'name' || field === 'email' || field === 'message') errors[field] ??= message;
  }
  return errors;
}
