import { ApiError, call } from '#client/call.ts';
import type { Transport } from '#contract/endpoint.ts';
import { changeMailStop, fetchMailStop } from '#contract/endpoints.ts';
import { MailStopChange, type MailStopState } from '#contract/mail.ts';
import { readPostedForm } from './_posted_form.ts';

/** A valid form is much smaller. */
const MAX_FORM_BYTES = 4096;

interface StopMailPage {
  readonly token: string;
  /** Null if the link is not valid. */
  readonly state: MailStopState | null;
  readonly status: number;
}

/** Loads the page of a link. Changes nothing, because mail programs open links too. */
export async function loadStopMailPage(http: Transport, token: string): Promise<StopMailPage> {
  return toPage(token, () => call(http, fetchMailStop, { query: { token } }));
}

export async function submitStopMailForm(http: Transport, request: Request): Promise<StopMailPage> {
  const form = await readPostedForm(request, MAX_FORM_BYTES);
  const change = MailStopChange.safeParse(Object.fromEntries(form ?? []));
  if (!change.success) return { token: '', state: null, status: 400 };
  return toPage(change.data.token, () => call(http, changeMailStop, { body: change.data }));
}

async function toPage(token: string, load: () => Promise<MailStopState>): Promise<StopMailPage> {
  try {
    return { token, state: await load(), status: 200 };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { token, state: null, status: error.status === 422 ? 400 : error.status };
  }
}
