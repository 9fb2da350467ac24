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
}

export const EMPTY_CONTACT_FORM: ContactForm = {
  values: { name: '', email: '', message: '' },
  errors: {},
  formError: null,
  status: 200,
};

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
    return { values, errors: firstErrors(parsed.error.issues), formError: null, status: 422 };
  try {
    await call(http, sendContactMessage, { path: { username }, body: parsed.data });
    return null;
  } catch (error) {
    return { values, ...toFormErrors(error) };
  }
}

function toFormErrors(error: unknown): Omit<ContactForm, 'values'> {
  if (!(error instanceof ApiError))
    return { errors: {}, formError: formatError(error), status: 503 };
  const issues = typeof error.detail === 'string' ? [] : error.detail;
  const errors = firstErrors(issues.map(({ loc, msg }) => ({ path: loc.slice(1), message: msg })));
  const formError = Object.keys(errors).length > 0 ? null : formatError(error);
  return { errors, formError, status: error.status };
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
