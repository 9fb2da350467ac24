/** What an artist does against unwanted requests. */
import * as z from 'zod/mini';
import { BlockedSender, CancelledBatch, CurrentAlarm, NewBlockedSender } from '#contract/abuse.ts';
import { Id, listPageOf } from '#contract/common.ts';
import * as endpoints from '#contract/endpoints.ts';
import * as operations from '#server/operations/abuse.ts';
import { artists, route } from './route.ts';

const AlarmPath = z.object({ alarm_id: Id });

export const abuse = [
  route(endpoints.fetchBookingAlarm, {
    access: artists,
    summary: 'The warning of unusually many unproven requests, if there is one',
    input: {},
    response: CurrentAlarm,
    handle: async ({ context, artist }) => ({
      alarm: await operations.loadBookingAlarm(context, artist.id),
    }),
  }),
  route(endpoints.cancelAlarmedBookings, {
    access: artists,
    summary: 'Cancel all appointments and requests that the warning is about',
    description: 'Nobody is mailed. Those whose email is proven stay.',
    input: { path: AlarmPath },
    response: CancelledBatch,
    handle: ({ context, artist, path }) =>
      operations.cancelAlarmedBookings(context, artist.id, path.alarm_id),
  }),
  route(endpoints.dismissBookingAlarm, {
    access: artists,
    summary: 'Close the warning and keep the appointments',
    input: { path: AlarmPath },
    status: 204,
    handle: ({ context, artist, path }) =>
      operations.dismissBookingAlarm(context, artist.id, path.alarm_id),
  }),
  route(endpoints.listBlockedSenders, {
    access: artists,
    summary: 'The blocked senders, newest first',
    input: {},
    response: listPageOf(BlockedSender),
    handle: ({ context, artist }) => operations.listBlockedSenders(context, artist.id),
  }),
  route(endpoints.blockSender, {
    access: artists,
    summary: 'Block an email address, or the network from which an appointment was requested',
    input: { body: NewBlockedSender },
    example: { email: 'rosa@example.com' },
    status: 201,
    response: BlockedSender,
    refusals: ['not_found'],
    handle: ({ context, artist, body }) => operations.blockSender(context, artist.id, body),
  }),
  route(endpoints.unblockSender, {
    access: artists,
    summary: 'Accept requests of this sender again',
    input: { path: z.object({ blocked_id: Id }) },
    status: 204,
    handle: ({ context, artist, path }) =>
      operations.unblockSender(context, artist.id, path.blocked_id),
  }),
];
