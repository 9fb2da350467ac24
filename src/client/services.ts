import type * as z from 'zod/mini';
import type { Availability } from '#contract/availability.ts';
import type { ListPage } from '#contract/common.ts';
import type { NewService, Service, ServiceChanges } from '#contract/service.ts';
import type { PageParams, Transport } from './http.ts';

/** The services of an artist that clients can book, in the artist's order. */
export function listAvailableServices(http: Transport, username: string, page: PageParams = {}) {
  const path = `services/${encodeURIComponent(username)}/available/`;
  return http.get(path, { searchParams: page }).json<ListPage<Service>>();
}

/** The free slots of a service in a month of the studio's zone; `month` counts from 1. */
export function fetchServiceAvailability(http: Transport, id: string, year: number, month: number) {
  const path = `services/${encodeURIComponent(id)}/availability`;
  return http.get(path, { searchParams: { year, month } }).json<Availability>();
}

/** All services of the signed-in artist, hidden ones included. */
export function listOwnServices(http: Transport, page: PageParams = {}) {
  return http.get('services/', { searchParams: page }).json<ListPage<Service>>();
}

export function createService(http: Transport, json: z.input<typeof NewService>) {
  return http.post('services/', { json }).json<Service>();
}

/** Fields left out keep their value; `position` is the new index in the list. */
export function changeService(http: Transport, id: string, json: ServiceChanges) {
  return http.patch(`services/${encodeURIComponent(id)}`, { json }).json<Service>();
}

/** With `keepalive`, the request completes even if the browser leaves the page. */
export async function deleteService(http: Transport, id: string): Promise<void> {
  await http.delete(`services/${encodeURIComponent(id)}`, { keepalive: true });
}
