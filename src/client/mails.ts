import type * as z from 'zod/mini';
import type { ListPage } from '#contract/common.ts';
import type { MailQuery, OutgoingMail, ResendMail } from '#contract/mail.ts';
import { type Transport, toSearchParams } from './http.ts';

/** The mails to the artist and their clients, the newest first. */
export function listMails(http: Transport, query: Partial<MailQuery> = {}) {
  return http.get('mails/', { searchParams: toSearchParams(query) }).json<ListPage<OutgoingMail>>();
}

/** Sends a mail again, with current data; `email` corrects a client's address. */
export function resendMail(http: Transport, id: string, json: z.input<typeof ResendMail> = {}) {
  return http.post(`mails/${encodeURIComponent(id)}/send-again`, { json }).json<OutgoingMail>();
}
