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

export type ServiceRequestInput = z.input<typeof ServiceRequest>;

/** Books a free time. A repeated call with the same key, a UUID, returns the first result. */
export function bookService(
  http: Transport,
  username: string,
  json: ServiceRequestInput,
  idempotencyKey: string,
) {
  const headers = { 'Idempotency-Key': idempotencyKey };
  const options = { searchParams: { username }, json, headers };
  return http.post('appointments/request/service', options).json<Confirmation>();
}

/** Asks for an appointment whose time the artist sets. The key works as in `bookService`. */
export function requestDesign(
  http: Transport,
  username: string,
  json: z.input<typeof DesignRequest>,
  idempotencyKey: string,
) {
  const headers = { 'Idempotency-Key': idempotencyKey };
  const options = { searchParams: { username }, json, headers };
  return http.post('appointments/request/design', options).json<Confirmation>();
}

/** The appointment of a confirmation page. Never retried (specification, section 9). */
export function fetchConfirmation(http: Transport, id: string) {
  return http.get(`appointments/confirmation/${encodeURIComponent(id)}`).json<Confirmation>();
}

/** The client confirms; a second call is harmless. */
export function confirmAppointment(http: Transport, id: string) {
  return http.post(`appointments/confirmation/${encodeURIComponent(id)}`).json<Confirmation>();
}

/** The artist's appointments and requests. */
export function listAppointments(http: Transport, query: Partial<AppointmentQuery> = {}) {
  const searchParams = toSearchParams(query);
  return http.get('appointments/', { searchParams }).json<ListPage<Appointment>>();
}

/** The artist's appointments that overlap a time range; RFC 3339, `end` is the last minute. */
export function listAppointmentsInRange(http: Transport, span: { start: string; end: string }) {
  return http.get('appointments/schedule/', { searchParams: span }).json<ListPage<Appointment>>();
}

/** One client's appointments, newest first. */
export function listClientAppointments(http: Transport, clientId: string, page: PageParams = {}) {
  const path = `appointments/by_client/${encodeURIComponent(clientId)}`;
  return http.get(path, { searchParams: page }).json<ListPage<Appointment>>();
}

export function fetchAppointment(http: Transport, id: string) {
  return http.get(`appointments/${encodeURIComponent(id)}`).json<Appointment>();
}

/** The artist enters an appointment; it is confirmed at once. */
export function createAppointment(http: Transport, json: z.input<typeof NewAppointment>) {
  return http.post('appointments/', { json }).json<Appointment>();
}

/** New times or a new status. When the `version` is not the current one, the API answers 409. */
export function changeAppointment(http: Transport, id: string, json: AppointmentChanges) {
  return http.patch(`appointments/${encodeURIComponent(id)}`, { json }).json<Appointment>();
}

/** Only a declined, expired or cancelled one. */
export async function deleteAppointment(http: Transport, id: string): Promise<void> {
  await http.delete(`appointments/${encodeURIComponent(id)}`);
}
