import * as z from 'zod/mini';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import { ContactMessage, ReceivedMessage } from '#contract/contact.ts';
import * as operations from '#server/operations/messages.ts';
import { artistRoute, publicRoute } from './route.ts';

export const messages = [
  publicRoute({
    method: 'post',
    path: '/users/artist/:username/contact',
    summary: 'Send an artist a message',
    input: { path: z.object({ username: UsernameParam }), body: ContactMessage },
    example: { name: 'Rosa', email: 'rosa@example.com', message: 'Do you draw swallows?' },
    status: 201,
    response: ReceivedMessage,
    refusals: ['not_found'],
    rateLimit: 'contact',
    handle: ({ context, path, body }) => operations.addContactMessage(context, path.username, body),
  }),
  artistRoute({
    method: 'get',
    path: '/users/me/messages',
    summary: "Visitors' messages to the artist, newest first",
    input: { query: PageQuery },
    response: listPageOf(ReceivedMessage),
    handle: ({ context, artist, query }) => operations.listMessages(context, artist.id, query),
  }),
  artistRoute({
    method: 'delete',
    path: '/users/me/messages/:message_id',
    summary: "Delete a visitor's message",
    input: { path: z.object({ message_id: Id }) },
    status: 204,
    refusals: ['not_found'],
    handle: ({ context, artist, path }) =>
      operations.deleteMessage(context, artist.id, path.message_id),
  }),
];
