import * as z from 'zod/mini';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import { ContactMessage, ReceivedMessage } from '#contract/contact.ts';
import * as operations from '#server/operations/messages.ts';
import { artistRoute, publicRoute } from './route.ts';

const addContactMessage = publicRoute(
  {
    method: 'post',
    path: '/users/artist/:username/contact',
    summary: 'Leave a message with an artist',
    input: { path: z.object({ username: UsernameParam }), body: ContactMessage },
    example: { name: 'Rosa', email: 'rosa@example.com', message: 'Do you draw swallows?' },
    status: 201,
    response: ReceivedMessage,
    refusals: ['not_found'],
    budget: 'contact',
  },
  ({ context, path, body }) => operations.addContactMessage(context, path.username, body),
);

const listMessages = artistRoute(
  {
    method: 'get',
    path: '/users/me/messages',
    summary: 'What visitors wrote to the artist, newest first',
    input: { query: PageQuery },
    status: 200,
    response: listPageOf(ReceivedMessage),
  },
  ({ context, artist, query }) => operations.listMessages(context, artist.id, query),
);

const deleteMessage = artistRoute(
  {
    method: 'delete',
    path: '/users/me/messages/:message_id',
    summary: "Delete a visitor's message",
    input: { path: z.object({ message_id: Id }) },
    status: 204,
    refusals: ['not_found'],
  },
  ({ context, artist, path }) => operations.deleteMessage(context, artist.id, path.message_id),
);

export const messages = [addContactMessage, listMessages, deleteMessage];
