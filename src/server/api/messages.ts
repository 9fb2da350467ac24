import * as z from 'zod/mini';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import { ContactMessage, LinksRequest, ReadMessages, ReceivedMessage } from '#contract/contact.ts';
import * as endpoints from '#contract/endpoints.ts';
import * as operations from '#server/operations/clients/messages.ts';
import { requestLinks } from '#server/operations/mail/appointment_links.ts';
import { anyone, artists, RequestHeaders, route } from './route.ts';

export const messages = [
  route(endpoints.sendContactMessage, anyone, {
    summary: 'Send an artist a message',
    description:
      'At most 60 messages an hour are mailed to an artist; the studio shows the others too. With 500 unread messages, one more needs a proof of work; with 2,000 the inbox is full.',
    input: {
      path: z.object({ username: UsernameParam }),
      header: z.pick(RequestHeaders, { 'proof-of-work': true }),
      body: ContactMessage,
    },
    example: { name: 'Rosa', email: 'rosa@example.com', message: 'Do you draw swallows?' },
    status: 201,
    response: ReceivedMessage,
    refusals: ['sender_blocked', 'inbox_full', 'inbox_full_for_network', 'proof_of_work_required'],
    rateLimit: 'contact',
    handle: ({ context, path, header, body, network, now }) =>
      operations.addContactMessage(context, path.username, body, {
        network,
        proofOfWork: header['proof-of-work'],
        now,
      }),
  }),
  route(endpoints.requestLinks, anyone, {
    summary: 'Mail a client the links of their appointments with an artist',
    description:
      'The response is the same with and without appointments; without any, no mail is sent. The mail lists what is open or upcoming, and the last past appointment. At most 2 mails a day are sent to an email for one artist, beyond that the response is the same.',
    input: { path: z.object({ username: UsernameParam }), body: LinksRequest },
    example: { email: 'rosa@example.com' },
    rateLimit: 'mail',
    handle: ({ context, path, body, network }) =>
      requestLinks(context, path.username, body.email, network),
  }),
  route(endpoints.listMessages, artists, {
    summary: "Visitors' messages to the artist, newest first",
    input: { query: PageQuery },
    response: listPageOf(ReceivedMessage),
    handle: ({ context, artist, query }) => operations.listMessages(context, artist.id, query),
  }),
  route(endpoints.markMessagesRead, artists, {
    summary: "Mark visitors' messages as read",
    description: 'Unknown ids are ignored.',
    input: { body: ReadMessages },
    example: { ids: ['6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0a01'] },
    handle: ({ context, artist, body }) =>
      operations.markMessagesRead(context, artist.id, body.ids),
  }),
  route(endpoints.deleteMessage, artists, {
    summary: "Delete a visitor's message",
    input: { path: z.object({ message_id: Id }) },
    handle: ({ context, artist, path }) =>
      operations.deleteMessage(context, artist.id, path.message_id),
  }),
];
