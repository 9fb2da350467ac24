/** Bookings of scripts, with proofs of work, as a browser computes them. */
import type { Confirmation } from '#contract/appointment.ts';
import type { Slot } from '#contract/availability.ts';
import type { Service } from '#contract/service.ts';
import { type ApiResponse, callApi, expectOk } from '#support/call_api.ts';
import { solve } from '#support/proof_of_work.ts';
import { ROSA_DETAILS } from '#support/sample_people.ts';
import type { RunningServer } from '#support/sandbox.ts';
import { callFrom } from './caller.ts';

/** Clients look for a time within the next two months. */
export const MONTHS = [0, 1, 2];

export async function findService(
  server: RunningServer,
  username: string,
  duration: number,
): Promise<Service> {
  const services = await expectOk(
    callApi<{ data: Service[] }>(fetch, server.url, `GET /services/${username}/available`),
  );
  const service = services.data.find((one) => one.duration === duration);
  if (!service) throw new Error(`The artist has no service of ${duration} minutes`);
  return service;
}

export interface Booking extends Slot {
  readonly username: string;
  readonly serviceId: string;
  readonly email: string;
}

/** An answer, and whether the request needed a proof of work. */
export interface BookingAnswer {
  readonly response: ApiResponse<Confirmation>;
  readonly hasWorked: boolean;
}

/** Books a time from an address, with a proof of work if the API asks for one. */
export async function book(
  server: RunningServer,
  address: string,
  { username, serviceId, email, start, end }: Booking,
): Promise<BookingAnswer> {
  const send = (headers: Record<string, string>) =>
    callFrom<Confirmation>(
      server,
      address,
      `POST /appointments/request/service?username=${username}`,
      {
        json: { ...ROSA_DETAILS, email, service_id: serviceId, design_id: null, start, end },
        headers,
      },
    );
  const first = await send({});
  if (first.status !== 429 || !('challenge' in Object(first.body)))
    return { response: first, hasWorked: false };
  return { response: await send(await solve(first.body)), hasWorked: true };
}

/** Confirms a booking on its page, with or without the token of the mailed link. */
export function confirmBooking(
  server: RunningServer,
  address: string,
  id: string,
  mailToken?: string,
) {
  const path = `POST /appointments/confirmation/${id}`;
  const json = mailToken === undefined ? {} : { mail_token: mailToken };
  return callFrom<Confirmation>(server, address, path, { json });
}
