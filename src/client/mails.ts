import type * as z from 'zod/mini';
import type { Listed } from '#contract/common.ts';
import type { MailQuery, SendAgain, SentMail } from '#contract/mail.ts';
import { type Http, searchParams } from './http.ts';

/** Mails that were sent for the artist, or are to be, the newest first. */
export function listMails(http: Http, query: Partial<MailQuery> = {}): Promise<Listed<SentMail>> {
  return http.get('mails/', { searchParams: searchParams(query) }).json();
}

/** Sends a mail once more, as things are now; `email` sets a client's address right. */
export function sendAgain(
  http: Http,
  id: string,
  again: z.input<typeof SendAgain> = {},
): Promise<SentMail> {
  return http.post(`mails/${encodeURIComponent(id)}/send-again`, { json: again }).json();
}
