import type * as z from 'zod/mini';
import type { Confirmation, DesignRequest, ServiceRequest } from '#contract/appointment.ts';
import type { Http } from './http.ts';

/** As the client typed it: blank where nothing was chosen. */
export type ServiceRequestInput = z.input<typeof ServiceRequest>;
export type DesignRequestInput = z.input<typeof DesignRequest>;

/** Books a listed time; repeating it with the same key, a UUID, answers the first result. */
export function requestService(
  http: Http,
  username: string,
  request: ServiceRequestInput,
  idempotencyKey: string,
): Promise<Confirmation> {
  return http
    .post('appointments/request/service', {
      searchParams: { username },
      json: request,
      headers: { 'Idempotency-Key': idempotencyKey },
    })
    .json();
}

/** Sends a request to an artist who sets the time; the key works as for a service. */
export function requestDesign(
  http: Http,
  username: string,
  request: DesignRequestInput,
  idempotencyKey: string,
): Promise<Confirmation> {
  return http
    .post('appointments/request/design', {
      searchParams: { username },
      json: request,
      headers: { 'Idempotency-Key': idempotencyKey },
    })
    .json();
}

/** What the confirmation page shows. Never retried (specification, section 9). */
export function readConfirmation(http: Http, id: string): Promise<Confirmation> {
  return http.get(`appointments/confirmation/${encodeURIComponent(id)}`).json();
}

/** The client confirms; doing it twice is harmless. */
export function confirmAppointment(http: Http, id: string): Promise<Confirmation> {
  return http.post(`appointments/confirmation/${encodeURIComponent(id)}`).json();
}
