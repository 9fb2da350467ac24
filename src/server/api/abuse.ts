/** Calls of an artist against unwanted requests. */
import * as z from 'zod/mini';
import { BlockedSender, CancelledBatch, CurrentAlarm, NewBlockedSender } from '#contract/abuse.ts';
import { Id, listPageOf } from '#contract/common.ts';
import * as endpoints from '#contract/endpoints.ts';
import * as operations from '#server/operations/booking/abuse.ts';
import { artists, route } from './route.ts';

const AlarmPath = z.object({ alarm_id: Id });

export const abuse = [
  route(endpoints.fetchBookingAlarm, artists, {
    summary: 'The warning of unusually many unproven requests, if there is one',
    input: {},
    response: CurrentAlarm,
    handle: async ({ context, artist }) => ({
      alarm: await operations.loadBookingAlarm(context, artist.id),
    }),
  }),
  route(endpoints.cancelAlarmedBookings, artists, {
    summary: 'Cancel all appointments and requests that the warning is about',
    description: 'Nobody is mailed. Those whose email is proven stay.',
    input: { path: AlarmPath },
    response: CancelledBatch,
    handle: ({ context, artist, path }) =>
      operations.cancelAlarmedBookings(context, artist.id, path.alarm_id),
  }),
  route(endpoints.dismissBookingAlarm, artists, {
    summary: 'Close the warning and keep the appointments',
    input: { path: AlarmPath },
    handle: ({ context, artist, path }) =>
      operations.dismissBookingAlarm(context, artist.id, path.alarm_id),
  }),
  route(endpoints.listBlockedSenders, artists, {
    summary: 'The blocked senders, newest first',
    input: {},
    response: listPageOf(BlockedSender),
    handle: ({ context, artist }) => operations.listBlockedSenders(context, artist.id),
  }),
  route(endpoints.blockSender, artists, {
    summary: 'Block an email address, or the network from which an appointment was requested',
    input: { body: NewBlockedSender },
    example: { email: 'rosa@example.com' },
    status: 201,
    response: BlockedSender,
    refusals: ['not_found'],
    handle: ({ context, artist, body, now }) =>
      operations.blockSender(context, artist.id, body, now),
  }),
  route(endpoints.unblockSender, artists, {
    summary: 'Accept requests of this sender again',
    input: { path: z.object({ blocked_id: Id }) },
    handle: ({ context, artist, path }) =>
      operations.unblockSender(context, artist.id, path.blocked_id),
  }),
];
