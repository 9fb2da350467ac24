import type { Availability } from '#contract/availability.ts';
import type { Listed } from '#contract/common.ts';
import type { Service } from '#contract/service.ts';
import type { Http, PageParams } from './http.ts';

/** The services that clients can book of an artist, in the artist's order. */
export function listAvailableServices(
  http: Http,
  username: string,
  page: PageParams = {},
): Promise<Listed<Service>> {
  return http
    .get(`services/${encodeURIComponent(username)}/available/`, { searchParams: page })
    .json();
}

/** The free slots of a service in a month of the studio; `month` counts from 1. */
export function readServiceAvailability(
  http: Http,
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
