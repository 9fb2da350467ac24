import * as z from 'zod/mini';
import {
  Appointment,
  AppointmentChanges,
  AppointmentQuery,
  AppointmentRangeQuery,
  Confirmation,
  DesignRequest,
  NewAppointment,
  ServiceRequest,
} from '#contract/appointment.ts';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import * as operations from '#server/operations/appointments.ts';
import * as booking from '#server/operations/booking.ts';
import { artistRoute, IdempotencyHeader, publicRoute } from './route.ts';

const AppointmentPath = z.object({ appt_id: Id });

const requestService = publicRoute(
  {
    method: 'post',
    path: '/appointments/request/service',
    summary: 'Book a listed time of a service',
    description:
      'The time is held until the client confirms or the hold lapses. `username` may be left out when `design_id` is given.',
    input: {
      query: z.object({ username: z.optional(UsernameParam) }),
      header: IdempotencyHeader,
      body: ServiceRequest,
    },
    example: {
      service_id: '5b1f0f3c-2a11-4a57-9d0e-6b1f0f3c2a11',
      design_id: null,
      start: '2026-11-24T15:00:00Z',
      end: '2026-11-24T15:59:00Z',
      first_name: 'Rosa',
      email: 'rosa@example.com',
      location: 'arms',
      size: 'small',
    },
    status: 201,
    response: Confirmation,
    refusals: ['not_found', 'time_taken', 'wrong_flow', 'not_taking_bookings', 'key_reused'],
    budget: 'request',
  },
  ({ context, query, header, body }) =>
    booking.requestService(context, query.username, body, header['idempotency-key']),
);

const requestDesign = publicRoute(
  {
    method: 'post',
    path: '/appointments/request/design',
    summary: 'Ask an artist who sets the times',
    description: '`username` may be left out when `design_id` is given.',
    input: {
      query: z.object({ username: z.optional(UsernameParam) }),
      header: IdempotencyHeader,
      body: DesignRequest,
    },
    example: {
      design_id: null,
      first_name: 'Rosa',
      email: 'rosa@example.com',
      location: 'arms',
      customer_notes: 'A swallow, please.',
    },
    status: 201,
    response: Confirmation,
    refusals: ['not_found', 'wrong_flow', 'not_taking_bookings', 'key_reused'],
    budget: 'request',
  },
  ({ context, query, header, body }) =>
    booking.requestDesign(context, query.username, body, header['idempotency-key']),
);

const getConfirmation = publicRoute(
  {
    method: 'get',
    path: '/appointments/confirmation/:appt_id',
    summary: 'What the confirmation page shows',
    description: 'Changes nothing.',
    input: { path: AppointmentPath },
    status: 200,
    response: Confirmation,
    refusals: ['not_found'],
  },
  ({ context, path }) => booking.loadConfirmation(context, path.appt_id, Date.now()),
);

const confirmAppointment = publicRoute(
  {
    method: 'post',
    path: '/appointments/confirmation/:appt_id',
    summary: 'The client confirms',
    description: 'Twice is harmless. An expired one confirms if its time is free and lies ahead.',
    input: { path: AppointmentPath },
    status: 200,
    response: Confirmation,
    refusals: ['not_found', 'state_moved', 'time_taken'],
    budget: 'request',
  },
  ({ context, path }) => booking.confirmAppointment(context, path.appt_id),
);

const listAppointments = artistRoute(
  {
    method: 'get',
    path: '/appointments',
    summary: "The artist's appointments and requests",
    description: 'Newest first unless `order` says otherwise; every filter narrows the list.',
    input: { query: AppointmentQuery },
    status: 200,
    response: listPageOf(Appointment),
  },
  ({ context, artist, query }) =>
    operations.listAppointments(context, artist.id, query, Date.now()),
);

const createAppointment = artistRoute(
  {
    method: 'post',
    path: '/appointments',
    summary: 'Enter an appointment by hand',
    description: 'It is confirmed at once. Opening hours and notice do not bind, an overlap does.',
    input: { body: NewAppointment },
    example: {
      client: { first_name: 'Rosa', email: 'rosa@example.com' },
      start: '2026-11-24T15:00:00Z',
      end: '2026-11-24T15:59:00Z',
    },
    status: 201,
    response: Appointment,
    refusals: ['not_found', 'time_taken'],
  },
  ({ context, artist, body }) => operations.createAppointment(context, artist.id, body),
);

const listScheduledAppointments = artistRoute(
  {
    method: 'get',
    path: '/appointments/schedule',
    summary: "What is on the artist's calendar within a span",
    description: '`end` is the last minute inside.',
    input: { query: AppointmentRangeQuery },
    status: 200,
    response: listPageOf(Appointment),
  },
  ({ context, artist, query }) =>
    operations.listScheduledAppointments(context, artist.id, query, Date.now()),
);

const listAppointmentsOfClient = artistRoute(
  {
    method: 'get',
    path: '/appointments/by_client/:client_id',
    summary: "One client's appointments and requests, newest first",
    input: { path: z.object({ client_id: Id }), query: PageQuery },
    status: 200,
    response: listPageOf(Appointment),
    refusals: ['not_found'],
  },
  ({ context, artist, path, query }) =>
    operations.listAppointmentsOfClient(context, artist.id, path.client_id, query, Date.now()),
);

const getAppointment = artistRoute(
  {
    method: 'get',
    path: '/appointments/:appt_id',
    summary: "One of the artist's appointments",
    input: { path: AppointmentPath },
    status: 200,
    response: Appointment,
    refusals: ['not_found'],
  },
  ({ context, artist, path }) =>
    operations.loadAppointment(context, artist.id, path.appt_id, Date.now()),
);

const updateAppointment = artistRoute(
  {
    method: 'patch',
    path: '/appointments/:appt_id',
    summary: 'Set a time or name a state',
    description:
      '`start` and `end` make a request an offer and move anything that keeps a time. A stale `version` is refused.',
    input: { path: AppointmentPath, body: AppointmentChanges },
    example: { status: 'declined', note: 'I am away that month.', version: 1 },
    status: 200,
    response: Appointment,
    refusals: ['not_found', 'stale_version', 'state_moved', 'time_taken'],
  },
  ({ context, artist, path, body }) =>
    operations.updateAppointment(context, artist.id, path.appt_id, body),
);

const deleteAppointment = artistRoute(
  {
    method: 'delete',
    path: '/appointments/:appt_id',
    summary: 'Delete what came to nothing',
    description: 'Only what was declined, has expired or was cancelled.',
    input: { path: AppointmentPath },
    status: 204,
    refusals: ['not_found', 'not_over'],
  },
  ({ context, artist, path }) => operations.deleteAppointment(context, artist.id, path.appt_id),
);

export const appointments = [
  requestService,
  requestDesign,
  getConfirmation,
  confirmAppointment,
  listAppointments,
  createAppointment,
  listScheduledAppointments,
  listAppointmentsOfClient,
  getAppointment,
  updateAppointment,
  deleteAppointment,
];
