/** The two forms of an artist's contact page: a message, and the request for a lost link. */
import type * as z from 'zod/mini';
import { ApiError, call, formatError } from '#client/call.ts';
import { ContactMessage, LinksRequest } from '#contract/contact.ts';
import type { Transport } from '#contract/endpoint.ts';
import { requestLinks, sendContactMessage } from '#contract/endpoints.ts';
import { readPostedForm, textField } from './_posted_form.ts';

type ContactFieldName = keyof ContactMessage;

/** A form of the contact page as it is shown. The one for a lost link has only an email. */
interface ContactForm {
  readonly values: Readonly<Record<ContactFieldName, string>>;
  readonly errors: Readonly<Partial<Record<ContactFieldName, string>>>;
  /** An error that belongs to no field. */
  readonly formError: string | null;
  /** The page's HTTP status. */
  readonly status: number;
  /** A proof of work that the browser must compute to send the form; null for none. */
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
/** The longest valid form is shorter, even with every character escaped. */
const MAX_MESSAGE_BYTES = 128 * 1024;
const MAX_LINKS_BYTES = 4096;

/**
 * Sends the message of a posted form. Returns null if it was sent, else the form to show.
 * @param isDraft whether another page of ours has posted the beginning of a message: the form shows it, unsent
 */
export async function submitMessage(
  api: Transport,
  username: string,
  request: Request,
  isDraft: boolean,
): Promise<ContactForm | null> {
  const posted = await readPostedForm(request, MAX_MESSAGE_BYTES);
  if (!posted)
    return { ...EMPTY_CONTACT_FORM, formError: 'Your message is too long to send.', status: 413 };
  const values = {
    name: textField(posted, 'name'),
    email: textField(posted, 'email'),
    message: textField(posted, 'message'),
  };
  if (isDraft) return { ...EMPTY_CONTACT_FORM, values };
  const solution = textField(posted, 'proof_of_work');
  const header = solution === '' ? {} : { 'proof-of-work': solution };
  const form = await sendForm(values, ContactMessage.safeParse(values), (body) =>
    call(api, sendContactMessage, { path: { username }, header, body }),
  );
  // The page's script solves one challenge only.
  return form && { ...form, challenge: solution === '' ? form.challenge : null };
}

/** Asks for a mail with the links of appointments. Returns null if it was asked for, else the form to show again. */
export async function submitLinksRequest(
  api: Transport,
  username: string,
  request: Request,
): Promise<ContactForm | null> {
  const posted = await readPostedForm(request, MAX_LINKS_BYTES);
  if (!posted)
    return { ...EMPTY_CONTACT_FORM, errors: { email: 'Invalid email address' }, status: 413 };
  const email = textField(posted, 'links_email');
  const values = { ...EMPTY_CONTACT_FORM.values, email };
  return sendForm(values, LinksRequest.safeParse({ email }), (body) =>
    call(api, requestLinks, { path: { username }, body }),
  );
}

/** Sends a form if it is valid. Returns null if it was sent, else the form with the errors. */
async function sendForm<Body>(
  values: ContactForm['values'],
  parsed: z.core.util.SafeParseResult<Body>,
  send: (body: Body) => Promise<unknown>,
): Promise<ContactForm | null> {
  const form = { ...EMPTY_CONTACT_FORM, values };
  if (!parsed.success) return { ...form, errors: firstErrors(parsed.error.issues), status: 422 };
  try {
    await send(parsed.data);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError))
      return { ...form, formError: formatError(error), status: 503 };
    const { status, challenge = null, detail } = error;
    if (challenge !== null) return { ...form, formError: FULL_INBOX_TEXT, status, challenge };
    const issues = typeof detail === 'string' ? [] : detail;
    const errors = firstErrors(
      // The API's paths begin with `body`.
      issues.map(({ loc, msg }) => ({ path: loc.slice(1), message: msg })),
    );
    const formError = Object.keys(errors).length > 0 ? null : formatError(error);
    return { ...form, errors, formError, status };
  }
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
