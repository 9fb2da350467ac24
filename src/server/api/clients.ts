import * as z from 'zod/mini';
import {
  ClientChanges,
  ClientMergeInput,
  ClientMergeResult,
  ClientQuery,
  ClientRecord,
} from '#contract/client.ts';
import { Id, listPageOf, PageQuery } from '#contract/common.ts';
import { OpenDataRequest } from '#contract/data_request.ts';
import * as endpoints from '#contract/endpoints.ts';
import * as merges from '#server/operations/clients/client_merges.ts';
import * as operations from '#server/operations/clients/clients.ts';
import {
  listOpenDataRequests,
  markDataRequestDone,
} from '#server/operations/clients/data_requests.ts';
import { eraseClient } from '#server/operations/clients/erase_client.ts';
import { artists, route } from './route.ts';

const ClientPath = z.object({ client_id: Id });

export const clients = [
  route(endpoints.listClients, artists, {
    summary: "The artist's clients, the one with the newest appointment first",
    description: 'Newest by creation. Appointments with the same email belong to one client.',
    input: { query: ClientQuery },
    response: listPageOf(ClientRecord),
    handle: ({ context, artist, query, now }) =>
      operations.listClients(context, artist.id, query, now),
  }),
  // Before the route of one client, whose path also matches this one.
  route(endpoints.listDataRequests, artists, {
    summary: "What the artist's clients ask for about their data, and is not done",
    description: 'The oldest first.',
    input: { query: PageQuery },
    response: listPageOf(OpenDataRequest),
    handle: ({ context, artist, query }) => listOpenDataRequests(context, artist.id, query),
  }),
  route(endpoints.markDataRequestDone, artists, {
    summary: 'Mark what a client asked for about their data as done',
    description: 'The client sees it on the page of their appointment. Idempotent.',
    input: { path: z.object({ client_id: Id, request_id: Id }) },
    handle: ({ context, artist, path }) =>
      markDataRequestDone(context, artist.id, { clientId: path.client_id, id: path.request_id }),
  }),
  route(endpoints.fetchClient, artists, {
    summary: "One of the artist's clients",
    description: 'The id of a merged client finds the one into whom it was merged.',
    input: { path: ClientPath },
    response: ClientRecord,
    handle: ({ context, artist, path, now }) =>
      operations.loadClient(context, artist.id, path.client_id, now),
  }),
  route(endpoints.changeClient, artists, {
    summary: "Change the artist's record of a client",
    description: 'Omitted fields stay unchanged. Existing appointments keep the old details.',
    input: { path: ClientPath, body: ClientChanges },
    example: { notes: 'Prefers mornings.' },
    response: ClientRecord,
    refusals: ['client_email_taken', 'stale_notes'],
    handle: ({ context, artist, path, body }) =>
      operations.updateClient(context, artist.id, path.client_id, body),
  }),
  route(endpoints.mergeClients, artists, {
    summary: 'Merge another client into this one, when both are one person',
    description:
      'This client gets the appointments of the other, and the details it lacks. Can be undone for an hour.',
    input: { path: ClientPath, body: ClientMergeInput },
    example: { client_id: '3f2b8c1e-5d4a-4b6f-9a7c-1e2d3c4b5a69' },
    response: ClientMergeResult,
    refusals: ['same_client', 'notes_too_long'],
    handle: ({ context, artist, path, body }) =>
      merges.mergeClients(context, artist.id, path.client_id, body.client_id),
  }),
  route(endpoints.undoClientMerge, artists, {
    summary: 'Undo a merge of two clients',
    description: 'There are two clients again; later appointments stay with the one that was kept.',
    input: { path: z.object({ merge_id: Id }) },
    response: ClientRecord,
    refusals: ['undo_too_late'],
    handle: ({ context, artist, path }) =>
      merges.undoClientMerge(context, artist.id, path.merge_id),
  }),
  route(endpoints.eraseClient, artists, {
    summary: "Erase a client's personal data for good",
    description:
      'Deletes them from the client, appointments, mails, messages and exports. Times and states stay.',
    input: { path: ClientPath },
    refusals: ['client_has_appointment', 'client_mail_queued'],
    handle: ({ context, artist, path }) => eraseClient(context, artist.id, path.client_id),
  }),
];
