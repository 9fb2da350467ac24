import * as z from 'zod/mini';
import { Id } from '#contract/common.ts';
import * as endpoints from '#contract/endpoints.ts';
import * as contract from '#contract/mail.ts';
import * as stops from '#server/operations/mail/mail_stops.ts';
import * as operations from '#server/operations/mail/mails.ts';
import { anyone, artists, route } from './route.ts';

export const mails = [
  route(endpoints.listMails, artists, {
    summary: "Mails about the artist's appointments and account, newest first",
    description: 'A mail is deleted 180 days after it was sent, has failed or was dropped.',
    input: { query: contract.MailQuery },
    response: contract.MailList,
    handle: ({ context, artist, query, now }) =>
      operations.listMails(context, artist.id, query, now),
  }),
  route(endpoints.resendMail, artists, {
    summary: 'Send a mail about an appointment again',
    description:
      "The new mail describes the appointment's current state. `email` corrects the client's address.",
    input: { path: z.object({ mail_id: Id }), body: contract.ResendMail },
    example: { email: 'rosa@example.com' },
    status: 201,
    response: contract.OutgoingMail,
    refusals: ['mail_outdated', 'client_email_taken'],
    rateLimit: 'mail',
    handle: ({ context, artist, path, body, now }) =>
      operations.resendMail(context, artist.id, { ...body, id: path.mail_id }, now),
  }),
  route(endpoints.stopArtistMail, anyone, {
    summary: 'Stop mail of an artist to an address, with one click in a mail program (RFC 8058)',
    description: 'The token is in the header `List-Unsubscribe` of every mail to a client.',
    input: { query: contract.MailStopQuery, body: z.string() },
    example: { 'List-Unsubscribe': 'One-Click' },
    hidesMissing: true,
    refusals: ['link_not_valid'],
    rateLimit: 'recovery',
    handle: ({ context, query }) => stops.stopArtistMail(context, query.token),
  }),
  route(endpoints.fetchMailStop, anyone, {
    summary: 'Whose mail to an address is stopped',
    input: { query: contract.MailStopQuery },
    response: contract.MailStopState,
    refusals: ['link_not_valid'],
    handle: ({ context, query }) => stops.loadMailStop(context, query.token),
  }),
  route(endpoints.changeMailStop, anyone, {
    summary: 'Stop mail of an artist or of everyone to an address, or let it be sent again',
    input: { body: contract.MailStopChange },
    example: { token: 'from the link of a mail', stopped: 'artist' },
    response: contract.MailStopState,
    refusals: ['link_not_valid'],
    rateLimit: 'recovery',
    handle: ({ context, body }) => stops.changeMailStop(context, body),
  }),
];
