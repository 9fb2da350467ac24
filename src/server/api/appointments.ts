import * as z from 'zod/mini';
import * as contract from '#contract/appointment.ts';
import { Id, listPageOf, PageQuery, UsernameParam } from '#contract/common.ts';
import { DataRequestInput } from '#contract/data_request.ts';
import * as endpoints from '#contract/endpoints.ts';
import { NewPayment, PaymentList, PaymentQuery } from '#contract/payment.ts';
import { TimeChange, TimeChangesAnswer } from '#contract/time_changes.ts';
import * as operations from '#server/operations/appointments/appointments.ts';
import { type RequestSender, requestAppointment } from '#server/operations/appointments/booking.ts';
import * as actions from '#server/operations/appointments/client_actions.ts';
import type { Caller } from '#server/operations/appointments/client_view.ts';
import * as confirmation from '#server/operations/appointments/confirmation.ts';
import { createAppointment } from '#server/operations/appointments/enter_appointment.ts';
import { requestData } from '#server/operations/clients/data_requests.ts';
import {
  addPayment,
  deletePayment,
  listPayments,
} from '#server/operations/payments/payments_received.ts';
import { loadConfirmationPage } from '#server/operations/studio/booking_pages.ts';
import {
  answerTimeChanges,
  listTimeChanges,
  undoTimeChanges,
} from '#server/operations/studio/time_changes.ts';
import { anyone, artists, RequestHeaders, route } from './route.ts';

function toSender(caller: Caller, header: z.output<typeof RequestHeaders>): RequestSender {
  const { 'idempotency-key': idempotencyKey, 'proof-of-work': proofOfWork } = header;
  return { ...caller, idempotencyKey, proofOfWork };
}

const AppointmentPath = z.object({ appt_id: Id });

/** The refusals of both kinds of requests: for a time of a service, and for a time that the artist sets. */
const REQUEST_REFUSALS = [
  'not_found',
  'service_not_available',
  'design_not_available',
  'wrong_scheduling_type',
  'not_taking_bookings',
  'books_closed',
  'idempotency_key_reused',
  'sender_blocked',
  'proof_of_work_required',
] as const;

/**
 * A hold is a time that a client has chosen; an offer is a time that the artist has set. Both are
 * reserved until a deadline, by which the client must confirm. `end` is the last minute, included:
 * 10:00 to 10:59 lasts one hour. A `Confirmation` is an appointment in any status, for its client.
 */
export const appointments = [
  route(endpoints.bookService, anyone, {
    summary: 'Book a free time of a service',
    description:
      "The time is reserved until a deadline, by which the client must confirm. The artist's `username` is optional when `design_id` is set.",
    input: {
      query: z.object({ username: z.optional(UsernameParam) }),
      header: RequestHeaders,
      body: contract.ServiceRequest,
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
    response: contract.Confirmation,
    refusals: ['time_taken', ...REQUEST_REFUSALS],
    rateLimit: 'request',
    handle: ({ context, network, query, header, body, now }) =>
      requestAppointment(context, query.username, body, toSender({ network, now }, header)),
  }),
  route(endpoints.requestDesign, anyone, {
    summary: 'Request an appointment from an artist who sets the times',
    description: "The artist's `username` is optional when `design_id` is set.",
    input: {
      query: z.object({ username: z.optional(UsernameParam) }),
      header: RequestHeaders,
      body: contract.DesignRequest,
    },
    example: {
      design_id: null,
      first_name: 'Rosa',
      email: 'rosa@example.com',
      location: 'arms',
      customer_notes: 'A swallow, please.',
    },
    status: 201,
    response: contract.Confirmation,
    refusals: REQUEST_REFUSALS,
    rateLimit: 'request',
    handle: ({ context, network, query, header, body, now }) =>
      requestAppointment(context, query.username, body, toSender({ network, now }, header)),
  }),
  route(endpoints.fetchConfirmation, anyone, {
    summary: 'The appointment for the confirmation page',
    description: 'Does not confirm the appointment.',
    input: { path: AppointmentPath },
    response: contract.Confirmation,
    handle: ({ context, path, now }) => confirmation.loadConfirmation(context, path.appt_id, now),
  }),
  route(endpoints.confirmAppointment, anyone, {
    summary: 'The client confirms a hold or an offer',
    description:
      'Idempotent. An expired hold is judged as a new booking. A stale `version` is refused.',
    input: { path: AppointmentPath, body: z.optional(contract.ConfirmationInput) },
    example: { version: 1, mail_token: 'zq0Jv5mXl3b2Yk9H1c7Wd4' },
    response: contract.Confirmation,
    refusals: [
      'status_changed',
      'appointment_changed',
      'offer_ended',
      'time_taken',
      'service_not_available',
      'service_changed',
      'design_not_available',
      'not_taking_bookings',
      'books_closed',
      'email_not_proven',
      'mail_token_not_valid',
      'sender_blocked',
      'sender_took_share',
    ],
    rateLimit: 'request',
    handle: ({ context, network, path, body, now }) =>
      confirmation.confirmAppointment(context, path.appt_id, { network, now }, body),
  }),
  route(endpoints.releaseHold, anyone, {
    summary: 'The client gives up a hold',
    description: 'Its time is free again. Idempotent.',
    input: { path: AppointmentPath, body: z.optional(contract.HoldRelease) },
    example: {},
    response: contract.Confirmation,
    refusals: ['status_changed'],
    rateLimit: 'request',
    handle: ({ context, network, path, now }) =>
      actions.giveUp(context, path.appt_id, { network, now }, { action: 'release' }),
  }),
  route(endpoints.declineOffer, anyone, {
    summary: 'The client declines an offer',
    description: 'The request is open again. Idempotent.',
    input: { path: AppointmentPath, body: z.optional(contract.OfferDecline) },
    example: { note: 'I am away that week.', version: 2 },
    response: contract.Confirmation,
    refusals: ['status_changed', 'appointment_changed'],
    rateLimit: 'request',
    handle: ({ context, network, path, body, now }) =>
      actions.giveUp(context, path.appt_id, { network, now }, { ...body, action: 'decline' }),
  }),
  route(endpoints.cancelAsClient, anyone, {
    summary: 'The client cancels a request or an appointment',
    description: 'An appointment only within the notice of the artist. Idempotent.',
    input: { path: AppointmentPath, body: z.optional(contract.ClientCancellation) },
    example: { note: 'I am ill.', version: 2 },
    response: contract.Confirmation,
    refusals: [
      'status_changed',
      'appointment_changed',
      'cancelling_not_allowed',
      'too_late_to_cancel',
    ],
    rateLimit: 'request',
    handle: ({ context, network, path, body, now }) =>
      actions.giveUp(context, path.appt_id, { network, now }, { ...body, action: 'cancel' }),
  }),
  route(endpoints.moveAsClient, anyone, {
    summary: 'The client moves an appointment to another free time of its service',
    description:
      'Only within the notice of the artist, and within the shares of the times that a new booking has. Idempotent.',
    input: { path: AppointmentPath, body: contract.ClientMove },
    example: { start: '2026-11-24T15:00:00Z', end: '2026-11-24T15:59:00Z', version: 2 },
    response: contract.Confirmation,
    refusals: [
      'status_changed',
      'appointment_changed',
      'moving_not_allowed',
      'too_late_to_move',
      'time_taken',
      'service_not_available',
      'move_not_proven',
      'sender_took_share',
      'sender_blocked',
    ],
    rateLimit: 'request',
    handle: ({ context, network, path, body, now }) =>
      actions.moveAsClient(context, path.appt_id, { network, now }, body),
  }),
  route(endpoints.changeEmailAsClient, anyone, {
    summary: 'The client changes their email, until the appointment begins',
    description:
      'At most twice. A proven email stays until the link is used that is mailed to it (`new_email_hint`). Idempotent, but for the second change: afterwards the email that it has is refused like any other.',
    input: { path: AppointmentPath, body: contract.ClientEmail },
    example: { email: 'rosa@example.com' },
    response: contract.Confirmation,
    refusals: ['status_changed', 'too_many_email_changes', 'sender_blocked', 'too_many_clients'],
    rateLimit: 'request',
    handle: ({ context, network, path, body, now }) =>
      actions.changeEmailAsClient(context, path.appt_id, { network, now }, body),
  }),
  route(endpoints.proveEmailChange, anyone, {
    summary: 'The owner of the present email agrees to the change that the client asked for',
    description: 'With the mailed link. Idempotent.',
    input: { path: AppointmentPath, body: contract.ClientEmailProof },
    example: { change_token: 'zq0Jv5mXl3b2Yk9H1c7Wd4' },
    response: contract.Confirmation,
    refusals: [
      'status_changed',
      'link_not_valid',
      'too_many_email_changes',
      'sender_blocked',
      'too_many_clients',
    ],
    rateLimit: 'request',
    handle: ({ context, network, path, body, now }) =>
      actions.proveEmailChange(context, path.appt_id, { network, now }, body),
  }),
  route(endpoints.requestData, anyone, {
    summary: 'The client asks the artist for a copy of their data, or for its erasure',
    description:
      'The artist gets a mail, and decides. While the same request is open, nothing changes. Once it is done, it can be repeated 30 days after the last one.',
    input: { path: AppointmentPath, body: DataRequestInput },
    example: { kind: 'copy' },
    response: contract.Confirmation,
    refusals: ['data_request_not_proven', 'data_request_too_soon'],
    rateLimit: 'request',
    handle: ({ context, network, path, body }) => requestData(context, path.appt_id, network, body),
  }),
  route(endpoints.fetchConfirmationPage, anyone, {
    summary: 'All that the confirmation page shows: the artist and the appointment',
    input: { path: AppointmentPath, query: contract.ConfirmationPageQuery },
    response: contract.ConfirmationPage,
    handle: ({ context, path, query, now }) =>
      loadConfirmationPage(context, path.appt_id, query, now),
  }),
  route(endpoints.listAppointments, artists, {
    summary: "The artist's appointments, including requests without a time",
    description: 'Newest first unless `order` is set; filters are combined with AND.',
    input: { query: contract.AppointmentQuery },
    response: listPageOf(contract.Appointment),
    handle: ({ context, artist, query, now }) =>
      operations.listAppointments(context, artist.id, query, now),
  }),
  route(endpoints.createAppointment, artists, {
    summary: 'Add an appointment as the artist',
    description:
      'It is confirmed at once. It may ignore opening hours and minimum notice, but must not overlap another appointment, or a buffer without `ignore_buffer`.',
    input: { body: contract.NewAppointment },
    example: {
      client: { first_name: 'Rosa', email: 'rosa@example.com' },
      start: '2026-11-24T15:00:00Z',
      end: '2026-11-24T15:59:00Z',
    },
    status: 201,
    response: contract.Appointment,
    refusals: [
      'not_found',
      'time_taken',
      'buffer_touched',
      'editions_used_up',
      'wrong_client',
      'stale_notes',
    ],
    handle: ({ context, artist, body }) => createAppointment(context, artist.id, body),
  }),
  route(endpoints.listAppointmentsInRange, artists, {
    summary: "The artist's appointments that overlap a time range",
    description:
      'Without requests, and without declined, expired and cancelled appointments. The minute `end` is included.',
    input: { query: contract.AppointmentRangeQuery },
    response: listPageOf(contract.Appointment),
    handle: ({ context, artist, query, now }) =>
      operations.listScheduledAppointments(context, artist.id, query, now),
  }),
  route(endpoints.listClientAppointments, artists, {
    summary: "One client's appointments, including requests, newest first",
    input: { path: z.object({ client_id: Id }), query: PageQuery },
    response: listPageOf(contract.Appointment),
    handle: ({ context, artist, path, query, now }) =>
      operations.listAppointmentsOfClient(
        context,
        artist.id,
        { ...query, clientId: path.client_id },
        now,
      ),
  }),
  // Before `/appointments/:appt_id`, which matches their path too.
  route(endpoints.listTimeChanges, artists, {
    summary: 'Appointments ahead that clocks no longer show as agreed',
    description:
      'The rules of their time zone have changed since: by newer zone data, clocks show another time at their start. The soonest first.',
    input: { query: PageQuery },
    response: listPageOf(TimeChange),
    handle: ({ context, artist, query, now }) => listTimeChanges(context, artist.id, query, now),
  }),
  route(endpoints.answerTimeChanges, artists, {
    summary: 'Keep the agreed clock times of such appointments, or their instants',
    description:
      'Answers the first page of those that are left. Nobody is mailed without `tell_clients`. Ids that are not, or no longer, in the list change nothing. Another version is refused, unless the same answer is stored for it.',
    input: { body: TimeChangesAnswer },
    example: {
      keep: 'clock_times',
      ids: [{ id: '5b1f0f3c-2a11-4a57-9d0e-6b1f0f3c2a11', version: 2 }],
      tell_clients: false,
    },
    response: listPageOf(TimeChange),
    refusals: ['not_found', 'stale_version', 'clock_times_overlap'],
    handle: ({ context, artist, body }) => answerTimeChanges(context, artist.id, body),
  }),
  route(endpoints.undoTimeChanges, artists, {
    summary: 'Undo the last such answer',
    description:
      'Within 30 seconds, and while no change of the studio’s address or zone has followed. Restores the times and the list, and drops the mails. Times that were set, confirmed or cancelled since stay. Undoing twice changes nothing.',
    input: {},
    refusals: ['undo_too_late', 'undo_time_taken'],
    handle: ({ context, artist }) => undoTimeChanges(context, artist.id),
  }),
  route(endpoints.fetchAppointment, artists, {
    summary: "One of the artist's appointments",
    input: { path: AppointmentPath },
    response: contract.Appointment,
    handle: ({ context, artist, path, now }) =>
      operations.loadAppointment(context, artist.id, path.appt_id, now),
  }),
  route(endpoints.changeAppointment, artists, {
    summary: 'Set the time, the details or the status of an appointment',
    description:
      '`start` and `end` turn a request into an offer, or move an appointment. Omitted fields stay unchanged. An outdated `version` or `private_version` is refused.',
    input: { path: AppointmentPath, body: contract.AppointmentChanges },
    example: { status: 'declined', note: 'I am away that month.', version: 1 },
    response: contract.Appointment,
    refusals: [
      'stale_version',
      'stale_notes',
      'status_changed',
      'not_begun',
      'time_taken',
      'buffer_touched',
      'reopened_time_taken',
      'editions_used_up',
    ],
    handle: ({ context, artist, path, body }) =>
      operations.updateAppointment(context, artist.id, path.appt_id, body),
  }),
  route(endpoints.listAppointmentEvents, artists, {
    summary: 'The history of an appointment, the oldest first',
    input: { path: AppointmentPath },
    response: listPageOf(contract.AppointmentEvent),
    handle: ({ context, artist, path, now }) =>
      operations.listHistory(context, artist.id, path.appt_id, now),
  }),
  route(endpoints.listRivals, artists, {
    summary: 'Those who want the same design or time as an appointment that waits for a decision',
    description:
      'Requests, holds and offers for the same design, if it has a limit, or with a time that overlaps. Empty for what is decided.',
    input: { path: AppointmentPath },
    response: listPageOf(contract.Appointment),
    handle: ({ context, artist, path, now }) =>
      operations.listRivals(context, artist.id, path.appt_id, now),
  }),
  route(endpoints.addPayment, artists, {
    summary: 'Note what the artist has received for an appointment',
    description: 'Moves no money.',
    input: {
      path: AppointmentPath,
      header: z.pick(RequestHeaders, { 'idempotency-key': true }),
      body: NewPayment,
    },
    example: { amount: 5000, method: 'cash' },
    status: 201,
    response: contract.Appointment,
    refusals: ['too_many_payments', 'idempotency_key_reused'],
    handle: ({ context, artist, path, header, body }) =>
      addPayment(context, artist.id, path.appt_id, { ...body, key: header['idempotency-key'] }),
  }),
  route(endpoints.deletePayment, artists, {
    summary: 'Remove a noted payment',
    input: { path: z.extend(AppointmentPath, { payment_id: Id }) },
    handle: ({ context, artist, path }) =>
      deletePayment(context, artist.id, path.appt_id, path.payment_id),
  }),
  route(endpoints.listPayments, artists, {
    summary: 'What the artist has received on some dates, with sums by currency',
    description: 'Both dates are included.',
    input: { query: PaymentQuery },
    response: PaymentList,
    handle: ({ context, artist, query }) => listPayments(context, artist.id, query),
  }),
  route(endpoints.deleteAppointment, artists, {
    summary: 'Delete a declined, expired or cancelled appointment',
    input: { path: AppointmentPath },
    refusals: ['not_deletable'],
    handle: ({ context, artist, path }) =>
      operations.deleteAppointment(context, artist.id, path.appt_id),
  }),
];
