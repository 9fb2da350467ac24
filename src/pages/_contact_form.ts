import { sendContactMessage } from '#client/artists.ts';
import { ApiError, failureText, type Http } from '#client/http.ts';
import { ContactMessage } from '#contract/contact.ts';

type Field = keyof ContactMessage;

/** A contact form as it is shown again: what was typed, and what is wrong with it. */
export interface ContactForm {
  readonly typed: Readonly<Record<Field, string>>;
  readonly errors: Readonly<Partial<Record<Field, string>>>;
  /** What is wrong with none of the fields. */
  readonly failure: string | null;
  readonly status: number;
}

export const EMPTY_CONTACT_FORM: ContactForm = {
  typed: { name: '', email: '', message: '' },
  errors: {},
  failure: null,
  status: 200,
};

/** The longest valid message, every character escaped, and room to spare. */
const MAX_BYTES = 128 * 1024;

/** Sends what a form posted. Answers null once it is sent, else the form to show again. */
export async function submitContactForm(
  http: Http,
  username: string,
  request: Request,
): Promise<ContactForm | null> {
  const body = await readForm(request);
  if (!body) {
    return { ...EMPTY_CONTACT_FORM, failure: 'Your message is too long to send.', status: 413 };
  }
  const typed = {
    name: text(body, 'name'),
    email: text(body, 'email'),
    message: text(body, 'message'),
  };
  const judged = ContactMessage.safeParse(typed);
  if (!judged.success) {
    return {
      typed,
      errors: firstByField(judged.error.issues, (issue) => issue),
      failure: null,
      status: 422,
    };
  }
  try {
    await sendContactMessage(http, username, judged.data);
    return null;
  } catch (error) {
    return { typed, ...explain(error) };
  }
}

function explain(error: unknown): Omit<ContactForm, 'typed'> {
  if (!(error instanceof ApiError)) return { errors: {}, failure: failureText(error), status: 503 };
  const items = typeof error.detail === 'string' ? [] : error.detail;
  const errors = firstByField(items, ({ loc, msg }) => ({ path: loc.slice(1), message: msg }));
  const failure = Object.keys(errors).length > 0 ? null : failureText(error);
  return { errors, failure, status: error.status };
}

function firstByField<T>(
  problems: readonly T[],
  read: (problem: T) => { path: readonly PropertyKey[]; message: string },
): Partial<Record<Field, string>> {
  const errors: Partial<Record<Field, string>> = {};
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

function text(form: FormData, name: Field): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
