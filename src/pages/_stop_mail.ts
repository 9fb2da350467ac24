import { ApiError, call } from '#client/call.ts';
import type { Transport } from '#contract/endpoint.ts';
import { changeMailStop, fetchMailStop } from '#contract/endpoints.ts';
import { MailStopChange, type MailStopState } from '#contract/mail.ts';

/** A valid form is much smaller. */
const MAX_FORM_BYTES = 4096;

/** What the page shows: the state behind the link's token, or that the link is not valid. */
export interface StopMailPage {
  readonly token: string;
  readonly state: MailStopState | null;
  readonly status: number;
}

/** Loads the page of a link. Changes nothing, because mail programs open links too. */
export async function loadStopMailPage(http: Transport, token: string): Promise<StopMailPage> {
  return toPage(token, () => call(http, fetchMailStop, { query: { token } }));
}

/** Handles the posted form of the page. */
export async function submitStopMailForm(http: Transport, request: Request): Promise<StopMailPage> {
  const change = MailStopChange.safeParse(await readForm(request));
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

/** The fields of the posted form; none if it is too large. */
async function readForm(request: Request): Promise<Record<string, string>> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_FORM_BYTES) return {};
    text += decoder.decode(chunk, { stream: true });
  }
  return Object.fromEntries(new URLSearchParams(text + decoder.decode()));
}
