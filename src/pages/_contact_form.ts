import { sendContactMessage } from '#client/artists.ts';
import { ApiError, formatError, type Transport } from '#client/http.ts';
import { ContactMessage } from '#contract/contact.ts';

type ContactFieldName = keyof ContactMessage;

/** A contact form as it is shown again: what was typed, and what is wrong with it. */
export interface ContactForm {
  readonly values: Readonly<Record<ContactFieldName, string>>;
  readonly errors: Readonly<Partial<Record<ContactFieldName, string>>>;
  /** What is wrong with none of the fields. */
  readonly formError: string | null;
  readonly status: number;
}

export const EMPTY_CONTACT_FORM: ContactForm = {
  values: { name: '', email: '', message: '' },
  errors: {},
  formError: null,
  status: 200,
};

/** The longest valid message, every character escaped, and room to spare. */
const MAX_BYTES = 128 * 1024;

/** Sends what a form posted. Answers null once it is sent, else the form to show again. */
export async function submitContactForm(
  http: Transport,
  username: string,
  request: Request,
): Promise<ContactForm | null> {
  const body = await readForm(request);
  if (!body) {
    return { ...EMPTY_CONTACT_FORM, formError: 'Your message is too long to send.', status: 413 };
  }
  const typed = {
    name: textField(body, 'name'),
    email: textField(body, 'email'),
    message: textField(body, 'message'),
  };
  const judged = ContactMessage.safeParse(typed);
  if (!judged.success) {
    return {
      values: typed,
      errors: firstErrorByField(judged.error.issues, (issue) => issue),
      formError: null,
      status: 422,
    };
  }
  try {
    await sendContactMessage(http, username, judged.data);
    return null;
  } catch (error) {
    return { values: typed, ...toFormErrors(error) };
  }
}

function toFormErrors(error: unknown): Omit<ContactForm, 'values'> {
  if (!(error instanceof ApiError))
    return { errors: {}, formError: formatError(error), status: 503 };
  const items = typeof error.detail === 'string' ? [] : error.detail;
  const errors = firstErrorByField(items, ({ loc, msg }) => ({ path: loc.slice(1), message: msg }));
  const formError = Object.keys(errors).length > 0 ? null : formatError(error);
  return { errors, formError, status: error.status };
}

function firstErrorByField<T>(
  problems: readonly T[],
  read: (problem: T) => { path: readonly PropertyKey[]; message: string },
): Partial<Record<ContactFieldName, string>> {
  const errors: Partial<Record<ContactFieldName, string>> = {};
  for (const problem of problems) {
    const { path, message } = read(problem);
    const field = path[0];
    if (field === 'name' || field === 'email' || field === 'message') errors[field] ??= message;
  }
  return errors;
}

/** The form that was posted, empty if it was none; null if it is larger than any valid one. */
async function readForm(request: Request): Promise<FormData | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  const headers = { 'Content-Type': request.headers.get('Content-Type') ?? '' };
  try {
    return await new Response(new Blob(chunks), { headers }).formData();
  } catch {
    return new FormData();
  }
}

function textField(form: FormData, name: ContactFieldName): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
