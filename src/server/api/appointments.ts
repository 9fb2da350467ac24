import * as z from 'zod/mini';
import {
  Appointment,
  AppointmentChanges,
  AppointmentQuery,
  Confirmation,
  DesignRequest,
  NewAppointment,
  ScheduleQuery,
  ServiceRequest,
} from '#contract/appointment.ts';
import { Id, line, listOf } from '#contract/common.ts';
import * as operations from '#server/operations/appointments.ts';
import * as booking from '#server/operations/booking.ts';
import { artistRoute, IdempotencyHeader, publicRoute } from './route.ts';

const ByAppointment = z.object({ appt_id: Id });

const requestService = publicRoute(
  {
    method: 'post',
    path: '/appointments/request/service',
    summary: 'Book a listed time of a service',
    description:
      'The time is held until the client confirms or the hold lapses. `username` may be left out when `design_id` is given.',
    takes: {
      query: z.object({ username: z.optional(line(100)) }),
      header: IdempotencyHeader,
      body: ServiceRequest,
    },
    status: 201,
    answer: Confirmation,
    refusals: ['not_found', 'time_taken', 'wrong_flow', 'key_reused'],
    budget: 'request',
  },
  ({ parts, query, header, body }) =>
    booking.requestService(parts, query.username, body, header['idempotency-key']),
);

const requestDesign = publicRoute(
  {
    method: 'post',
    path: '/appointments/request/design',
    summary: 'Ask an artist who sets the times',
    description: '`username` may be left out when `design_id` is given.',
    takes: {
      query: z.object({ username: z.optional(line(100)) }),
      header: IdempotencyHeader,
      body: DesignRequest,
    },
    status: 201,
    answer: Confirmation,
    refusals: ['not_found', 'wrong_flow', 'key_reused'],
    budget: 'request',
  },
  ({ parts, query, header, body }) =>
    booking.requestDesign(parts, query.username, body, header['idempotency-key']),
);

const readConfirmation = publicRoute(
  {
    method: 'get',
    path: '/appointments/confirmation/:appt_id',
    summary: 'What the confirmation page shows',
    description: 'Changes nothing.',
    takes: { path: ByAppointment },
    status: 200,
    answer: Confirmation,
    refusals: ['not_found'],
  },
  ({ parts, path }) => booking.readConfirmation(parts, path.appt_id, Date.now()),
);

const confirm = publicRoute(
  {
    method: 'post',
    path: '/appointments/confirmation/:appt_id',
    summary: 'The client confirms',
    description: 'Twice is harmless. An expired one confirms if its time is free and lies ahead.',
    takes: { path: ByAppointment },
    status: 200,
    answer: Confirmation,
    refusals: ['not_found', 'state_moved', 'time_taken'],
    budget: 'request',
  },
  ({ parts, path }) => booking.confirmAppointment(parts, path.appt_id),
);

const list = artistRoute(
  {
    method: 'get',
    path: '/appointments',
    summary: "The artist's appointments and requests, newest first",
    takes: { query: AppointmentQuery },
    status: 200,
    answer: listOf(Appointment),
  },
  ({ parts, artist, query }) => operations.listAppointments(parts, artist.id, query, Date.now()),
);

const enter = artistRoute(
  {
    method: 'post',
    path: '/appointments',
    summary: 'Enter an appointment by hand',
    description: 'It is confirmed at once. Opening hours and notice do not bind, an overlap does.',
    takes: { body: NewAppointment },
    status: 201,
    answer: Appointment,
    refusals: ['not_found', 'time_taken'],
  },
  ({ parts, artist, body }) => operations.enterAppointment(parts, artist.id, body),
);

const schedule = artistRoute(
  {
    method: 'get',
    path: '/appointments/schedule',
    summary: "What is on the artist's calendar within a span",
    description: '`end` is the last minute inside.',
    takes: { query: ScheduleQuery },
    status: 200,
    answer: listOf(Appointment),
  },
  ({ parts, artist, query }) => operations.readSchedule(parts, artist.id, query, Date.now()),
);

const read = artistRoute(
  {
    method: 'get',
    path: '/appointments/:appt_id',
    summary: "One of the artist's appointments",
    takes: { path: ByAppointment },
    status: 200,
    answer: Appointment,
    refusals: ['not_found'],
  },
  ({ parts, artist, path }) =>
    operations.readAppointment(parts, artist.id, path.appt_id, Date.now()),
);

const change = artistRoute(
  {
    method: 'patch',
    path: '/appointments/:appt_id',
    summary: 'Set a time or name a state',
    description:
      '`start` and `end` make a request an offer and move anything that keeps a time. A stale `version` is refused.',
    takes: { path: ByAppointment, body: AppointmentChanges },
    status: 200,
    answer: Appointment,
    refusals: ['not_found', 'stale_version', 'state_moved', 'time_taken'],
  },
  ({ parts, artist, path, body }) =>
    operations.changeAppointment(parts, artist.id, path.appt_id, body),
);

export const appointments = [
  requestService,
  requestDesign,
  readConfirmation,
  confirm,
  list,
  enter,
  schedule,
  read,
  change,
];
