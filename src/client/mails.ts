import type * as z from 'zod/mini';
import type { ListPage } from '#contract/common.ts';
import type { MailQuery, OutgoingMail, ResendMail } from '#contract/mail.ts';
import { type Transport, toSearchParams } from './http.ts';

/** Mails that were sent for the artist, or are to be, the newest first. */
export function listMails(
  http: Transport,
  query: Partial<MailQuery> = {},
): Promise<ListPage<OutgoingMail>> {
  return http.get('mails/', { searchParams: toSearchParams(query) }).json();
}

/** Sends a mail once more, as things are now; `email` sets a client's address right. */
export function resendMail(
  http: Transport,
  id: string,
  again: z.input<typeof ResendMail> = {},
): Promise<OutgoingMail> {
  return http.post(`mails/${encodeURIComponent(id)}/send-again`, { json: again }).json();
}
