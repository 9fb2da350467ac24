import type { Availability, Slot } from '#contract/availability.ts';
import { callApi, expectOk, monthQuery } from './call_api.ts';

/** The times of a service that a running server lists, in the months so many ahead. */
export async function listTimes(
  url: string,
  serviceId: string,
  ahead: readonly number[],
): Promise<Slot[]> {
  const months = await Promise.all(
    ahead.map((month) => {
      const path = `GET /services/${serviceId}/availability?${monthQuery(month)}`;
      return expectOk(callApi<Availability>(fetch, url, path));
    }),
  );
  return months.flatMap(({ data }) => data).flatMap(({ windows }) => windows);
}
