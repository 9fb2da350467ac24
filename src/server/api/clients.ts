import * as z from 'zod/mini';
import { ClientChanges, ClientQuery, ClientRecord } from '#contract/client.ts';
import { Id, listPageOf } from '#contract/common.ts';
import * as operations from '#server/operations/clients.ts';
import { artistRoute } from './route.ts';

const ClientPath = z.object({ client_id: Id });

const listClients = artistRoute(
  {
    method: 'get',
    path: '/clients',
    summary: "The artist's clients, whoever asked last first",
    description: 'One row a client: requests with the same email are merged.',
    input: { query: ClientQuery },
    status: 200,
    response: listPageOf(ClientRecord),
  },
  ({ context, artist, query }) => operations.listClients(context, artist.id, query, Date.now()),
);

const getClient = artistRoute(
  {
    method: 'get',
    path: '/clients/:client_id',
    summary: "One of the artist's clients",
    input: { path: ClientPath },
    status: 200,
    response: ClientRecord,
    refusals: ['not_found'],
  },
  ({ context, artist, path }) =>
    operations.loadClient(context, artist.id, path.client_id, Date.now()),
);

const updateClient = artistRoute(
  {
    method: 'patch',
    path: '/clients/:client_id',
    summary: 'Change what the artist knows of a client',
    description:
      'Fields left out keep their value. What the client wrote with their appointments stays as it is.',
    input: { path: ClientPath, body: ClientChanges },
    example: { notes: 'Prefers mornings.' },
    status: 200,
    response: ClientRecord,
    refusals: ['not_found', 'client_email_taken'],
  },
  ({ context, artist, path, body }) =>
    operations.updateClient(context, artist.id, path.client_id, body, Date.now()),
);

export const clients = [listClients, getClient, updateClient];
