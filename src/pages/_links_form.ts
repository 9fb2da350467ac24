import { ApiError, call, formatError } from '#client/call.ts';
import { LinksRequest } from '#contract/contact.ts';
import type { Transport } from '#contract/endpoint.ts';
import { requestLinks } from '#contract/endpoints.ts';
import { readPostedForm, textField } from './_posted_form.ts';

/** The form for a lost link as the page shows it, after a failed attempt with the error. */
interface LinksForm {
  readonly email: string;
  /** An error of the email. */
  readonly error: string | undefined;
  /** An error that belongs to no field. */
  readonly formError: string | null;
  /** The page's HTTP status. */
  readonly status: number;
}

export const EMPTY_LINKS_FORM: LinksForm = {
  email: '',
  error: undefined,
  formError: null,
  status: 200,
};

/** More than the longest valid address takes with every character escaped. */
const MAX_BYTES = 4096;

/** Asks for the mail with the links. Returns null if it was asked for, else the form to show again. */
export async function submitLinksForm(
  http: Transport,
  username: string,
  request: Request,
): Promise<LinksForm | null> {
  const body = await readPostedForm(request, MAX_BYTES);
  if (!body) return { ...EMPTY_LINKS_FORM, error: 'Invalid email address', status: 413 };
  const email = textField(body, 'links_email');
  const parsed = LinksRequest.safeParse({ email });
  if (!parsed.success)
    return { email, error: parsed.error.issues[0]?.message, formError: null, status: 422 };
  try {
    await call(http, requestLinks, { path: { username }, body: parsed.data });
    return null;
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 503;
    return { email, error: undefined, formError: formatError(error), status };
  }
}
