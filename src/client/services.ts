import type * as z from 'zod/mini';
import type { Availability } from '#contract/availability.ts';
import type { ListPage } from '#contract/common.ts';
import type { NewService, Service, ServiceChanges } from '#contract/service.ts';
import type { PageParams, Transport } from './http.ts';

/** The services that clients can book of an artist, in the artist's order. */
export function listAvailableServices(
  http: Transport,
  username: string,
  page: PageParams = {},
): Promise<ListPage<Service>> {
  return http
    .get(`services/${encodeURIComponent(username)}/available/`, { searchParams: page })
    .json();
}

/** The free slots of a service in a month of the studio; `month` counts from 1. */
export function fetchServiceAvailability(
  http: Transport,
  serviceId: string,
  year: number,
  month: number,
): Promise<Availability> {
  return http
    .get(`services/${encodeURIComponent(serviceId)}/availability`, {
      searchParams: { year, month },
    })
    .json();
}

/** All of the artist's own services, hidden ones included. */
export function listOwnServices(
  http: Transport,
  page: PageParams = {},
): Promise<ListPage<Service>> {
  return http.get('services/', { searchParams: page }).json();
}

export function createService(
  http: Transport,
  service: z.input<typeof NewService>,
): Promise<Service> {
  return http.post('services/', { json: service }).json();
}

/** Fields left out keep their value; `position` moves it to that place in the list, from 0. */
export function changeService(
  http: Transport,
  id: string,
  changes: ServiceChanges,
): Promise<Service> {
  return http.patch(`services/${encodeURIComponent(id)}`, { json: changes }).json();
}

export async function deleteService(http: Transport, id: string): Promise<void> {
  await http.delete(`services/${encodeURIComponent(id)}`, { keepalive: true });
}
