/** The page of the link "stop mail" at the end of our mails. */
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
export async function loadStopMailPage(api: Transport, token: string): Promise<StopMailPage> {
  return toPage(token, call(api, fetchMailStop, { query: { token } }));
}

/** Stops mail or allows it again, as the posted form says. */
export async function submitStopMailForm(api: Transport, request: Request): Promise<StopMailPage> {
  const form = await readPostedForm(request, MAX_FORM_BYTES);
  const change = MailStopChange.safeParse(Object.fromEntries(form ?? []));
  if (!change.success) return { token: '', state: null, status: 400 };
  return toPage(change.data.token, call(api, changeMailStop, { body: change.data }));
}

async function toPage(token: string, answer: Promise<MailStopState>): Promise<StopMailPage> {
  try {
    return { token, state: await answer, status: 200 };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // 422: the token has another form, such as that of a link which was cut.
    return { token, state: null, status: error.status === 422 ? 400 : error.status };
  }
}
