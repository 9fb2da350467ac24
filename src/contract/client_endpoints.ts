/**
 * The calls of clients on the booking and confirmation pages. They are apart from the others, so that
 * these pages do not load the definitions of the studio's calls.
 */
import type * as z from 'zod/mini';
import type {
  ClientCancellation,
  ClientEmail,
  ClientEmailProof,
  ClientMove,
  Confirmation,
  ConfirmationInput,
  DesignRequest,
  HoldRelease,
  OfferDecline,
  ServiceRequest,
} from './appointment.ts';
import type { Availability, MonthQuery } from './availability.ts';
import type { DataRequestInput } from './data_request.ts';
import {
  type BodyOf,
  type ById,
  type ByUsername,
  get,
  type Idempotent,
  list,
  type OfArtist,
  type PageInput,
  post,
  type Query,
} from './endpoint_definition.ts';
import type { Service } from './service.ts';

/** The input of a client's action on their appointment, which may have a body. */
type ClientActionInput<Schema extends z.core.$ZodType> = ById<'appt_id'> & {
  readonly body?: z.input<Schema>;
};

export const bookService = post<
  OfArtist & Idempotent & BodyOf<typeof ServiceRequest>,
  Confirmation
>('/appointments/request/service');
export const requestDesign = post<
  OfArtist & Idempotent & BodyOf<typeof DesignRequest>,
  Confirmation
>('/appointments/request/design');
/** Not repeated after a lost connection: the page says at once that it failed. */
export const fetchConfirmation = get<ById<'appt_id'>, Confirmation>(
  '/appointments/confirmation/:appt_id',
  { canRetry: false },
);
export const confirmAppointment = post<ClientActionInput<typeof ConfirmationInput>, Confirmation>(
  '/appointments/confirmation/:appt_id',
);
export const releaseHold = post<ClientActionInput<typeof HoldRelease>, Confirmation>(
  '/appointments/confirmation/:appt_id/release',
);
export const declineOffer = post<ClientActionInput<typeof OfferDecline>, Confirmation>(
  '/appointments/confirmation/:appt_id/decline',
);
export const cancelAsClient = post<ClientActionInput<typeof ClientCancellation>, Confirmation>(
  '/appointments/confirmation/:appt_id/cancel',
);
export const moveAsClient = post<ById<'appt_id'> & BodyOf<typeof ClientMove>, Confirmation>(
  '/appointments/confirmation/:appt_id/move',
);
export const changeEmailAsClient = post<ById<'appt_id'> & BodyOf<typeof ClientEmail>, Confirmation>(
  '/appointments/confirmation/:appt_id/email',
);
export const proveEmailChange = post<
  ById<'appt_id'> & BodyOf<typeof ClientEmailProof>,
  Confirmation
>('/appointments/confirmation/:appt_id/email/proof');
export const requestData = post<ById<'appt_id'> & BodyOf<typeof DataRequestInput>, Confirmation>(
  '/appointments/confirmation/:appt_id/data-request',
);
export const listAvailableServices = list<ByUsername & PageInput, Service>(
  '/services/:username/available/',
);
export const fetchServiceAvailability = get<
  ById<'service_id'> & Query<typeof MonthQuery>,
  Availability
>('/services/:service_id/availability', { field: 'data' });
export const fetchDesignAvailability = get<
  ById<'design_id'> & Query<typeof MonthQuery>,
  Availability
>('/designs/:design_id/availability', { field: 'data' });
