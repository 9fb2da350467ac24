import * as z from 'zod/mini';
import { Id, listPageOf } from '#contract/common.ts';
import { MailQuery, OutgoingMail, ResendMail } from '#contract/mail.ts';
import * as operations from '#server/operations/mails.ts';
import { artistRoute } from './route.ts';

const listMails = artistRoute(
  {
    method: 'get',
    path: '/mails',
    summary: 'What was sent for the artist or is to be, the newest first',
    description: 'Kept for 180 days after it was sent.',
    input: { query: MailQuery },
    status: 200,
    response: listPageOf(OutgoingMail),
  },
  ({ context, artist, query }) => operations.listMails(context, artist.id, query, Date.now()),
);

const resendMail = artistRoute(
  {
    method: 'post',
    path: '/mails/:mail_id/send-again',
    summary: 'Send a mail about an appointment once more',
    description:
      "It tells of the appointment as it is now. An `email` sets a client's address right.",
    input: { path: z.object({ mail_id: Id }), body: ResendMail },
    example: { email: 'rosa@example.com' },
    status: 201,
    response: OutgoingMail,
    refusals: ['not_found', 'mail_no_longer_so', 'client_email_taken'],
    budget: 'mail',
  },
  ({ context, artist, path, body }) =>
    operations.resendMail(context, artist.id, path.mail_id, body, Date.now()),
);

export const mails = [listMails, resendMail];
