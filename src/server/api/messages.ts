import * as z from 'zod/mini';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import { ContactMessage, ReceivedMessage } from '#contract/contact.ts';
import * as endpoints from '#contract/endpoints.ts';
import * as operations from '#server/operations/messages.ts';
import { anyone, artists, route } from './route.ts';

export const messages = [
  route(endpoints.sendContactMessage, {
    access: anyone,
    summary: 'Send an artist a message',
    input: { path: z.object({ username: UsernameParam }), body: ContactMessage },
    example: { name: 'Rosa', email: 'rosa@example.com', message: 'Do you draw swallows?' },
    status: 201,
    response: ReceivedMessage,
    rateLimit: 'contact',
    handle: ({ context, path, body }) => operations.addContactMessage(context, path.username, body),
  }),
  route(endpoints.listMessages, {
    access: artists,
    summary: "Visitors' messages to the artist, newest first",
    input: { query: PageQuery },
    response: listPageOf(ReceivedMessage),
    handle: ({ context, artist, query }) => operations.listMessages(context, artist.id, query),
  }),
  route(endpoints.deleteMessage, {
    access: artists,
    summary: "Delete a visitor's message",
    input: { path: z.object({ message_id: Id }) },
    status: 204,
    handle: ({ context, artist, path }) =>
      operations.deleteMessage(context, artist.id, path.message_id),
  }),
];
