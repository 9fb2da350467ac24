import type * as z from 'zod/mini';
import type {
  Appointment,
  AppointmentChanges,
  AppointmentQuery,
  Confirmation,
  DesignRequest,
  NewAppointment,
  ServiceRequest,
} from '#contract/appointment.ts';
import type { ListPage } from '#contract/common.ts';
import { type PageParams, type Transport, toSearchParams } from './http.ts';

/** As the client typed it: blank where nothing was chosen. */
export type ServiceRequestInput = z.input<typeof ServiceRequest>;
export type DesignRequestInput = z.input<typeof DesignRequest>;

/** Books a listed time; repeating it with the same key, a UUID, answers the first result. */
export function bookService(
  http: Transport,
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
  http: Transport,
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
export function fetchConfirmation(http: Transport, id: string): Promise<Confirmation> {
  return http.get(`appointments/confirmation/${encodeURIComponent(id)}`).json();
}

/** The client confirms; doing it twice is harmless. */
export function confirmAppointment(http: Transport, id: string): Promise<Confirmation> {
  return http.post(`appointments/confirmation/${encodeURIComponent(id)}`).json();
}

/** The artist's appointments and requests; what is left out of the query finds all. */
export function listAppointments(
  http: Transport,
  query: Partial<AppointmentQuery> = {},
): Promise<ListPage<Appointment>> {
  return http.get('appointments/', { searchParams: toSearchParams(query) }).json();
}

/** What is, was or may yet be on the calendar; instants, `end` being the last minute inside. */
export function listAppointmentsInRange(
  http: Transport,
  span: { start: string; end: string },
): Promise<ListPage<Appointment>> {
  return http.get('appointments/schedule/', { searchParams: span }).json();
}

/** One client's appointments, newest first. */
export function listClientAppointments(
  http: Transport,
  clientId: string,
  page: PageParams = {},
): Promise<ListPage<Appointment>> {
  return http
    .get(`appointments/by_client/${encodeURIComponent(clientId)}`, { searchParams: page })
    .json();
}

export function fetchAppointment(http: Transport, id: string): Promise<Appointment> {
  return http.get(`appointments/${encodeURIComponent(id)}`).json();
}

/** The artist enters an appointment; it is confirmed at once. */
export function createAppointment(
  http: Transport,
  appointment: z.input<typeof NewAppointment>,
): Promise<Appointment> {
  return http.post('appointments/', { json: appointment }).json();
}

/** New times or a new status; with the `version` that was seen, a change in between is a 409. */
export function changeAppointment(
  http: Transport,
  id: string,
  changes: AppointmentChanges,
): Promise<Appointment> {
  return http.patch(`appointments/${encodeURIComponent(id)}`, { json: changes }).json();
}

/** Only what was declined, has expired or was cancelled. */
export async function deleteAppointment(http: Transport, id: string): Promise<void> {
  await http.delete(`appointments/${encodeURIComponent(id)}`);
}
