import * as z from 'zod/mini';
import { Id, listPageOf } from '#contract/common.ts';
import * as endpoints from '#contract/endpoints.ts';
import { MailQuery, OutgoingMail, ResendMail } from '#contract/mail.ts';
import * as operations from '#server/operations/mails.ts';
import { artists, route } from './route.ts';

export const mails = [
  route(endpoints.listMails, {
    access: artists,
    summary: "Mails about the artist's appointments and account, newest first",
    description: 'A mail is deleted 180 days after it was sent, has failed or was dropped.',
    input: { query: MailQuery },
    response: listPageOf(OutgoingMail),
    handle: ({ context, artist, query }) =>
      operations.listMails(context, artist.id, query, Date.now()),
  }),
  route(endpoints.resendMail, {
    access: artists,
    summary: 'Send a mail about an appointment again',
    description:
      "The new mail describes the appointment's current state. `email` corrects the client's address.",
    input: { path: z.object({ mail_id: Id }), body: ResendMail },
    example: { email: 'rosa@example.com' },
    status: 201,
    response: OutgoingMail,
    refusals: ['mail_outdated', 'client_email_taken'],
    rateLimit: 'mail',
    handle: ({ context, artist, path, body }) =>
      operations.resendMail(context, artist.id, path.mail_id, body, Date.now()),
  }),
];
