import { randomUUID } from 'node:crypto';
import type { Confirmation } from '#contract/appointment.ts';
import type { Slot } from '#contract/availability.ts';
import type { Service } from '#contract/service.ts';
import { type ApiResponse, type CallOptions, callApi } from '#support/call_api.ts';
import { listTimes } from '#support/listed_times.ts';
import type { RunningServer } from '#support/sandbox.ts';

/** The body of a booking, with an idempotency key for repeated attempts. */
export interface BookingInput {
  readonly key: string;
  readonly body: string;
}

const HOUR_MS = 3_600_000;

/** Calls an operation such as `GET /services`, below `/api/v1`. */
export function call<T = unknown>(
  { url }: Pick<RunningServer, 'url'>,
  operation: string,
  options: CallOptions = {},
): Promise<ApiResponse<T>> {
  return callApi<T>(fetch, url, operation, options);
}

/** Logs a demo artist in. */
export async function logIn(server: Pick<RunningServer, 'url'>, username: string): Promise<string> {
  const form = { username: `${username}@example.com`, password: 'tattoo-demo' };
  const path = 'POST /login/access-token';
  return (await call<{ access_token: string }>(server, path, { form })).body.access_token;
}

/** Creates bookings of the demo artist ana at free slots that do not overlap. */
export async function createBookingInputs(server: RunningServer): Promise<BookingInput[]> {
  const { body: services } = await call<{ data: Service[] }>(server, 'GET /services/ana/available');
  const service = services.data.toSorted((a, b) => a.duration - b.duration)[0];
  if (!service) throw new Error('The demo has no services');
  const slots = await listTimes(server.url, service.id, [1, 2]);
  return withoutOverlaps(slots).map(({ start, end }) => ({
    key: randomUUID(),
    body: JSON.stringify({ email: 'rosa@example.com', service_id: service.id, start, end }),
  }));
}

/** Books as the form does. */
export function book(server: Pick<RunningServer, 'url'>, { key, body }: BookingInput) {
  return call<Confirmation>(server, 'POST /appointments/request/service?username=ana', {
    json: JSON.parse(body),
    headers: { 'Idempotency-Key': key },
  });
}

/** Confirms a booking as its page does. */
export function confirmBooking(server: Pick<RunningServer, 'url'>, id: string) {
  return call<Confirmation>(server, `POST /appointments/confirmation/${id}`);
}

/** Fetches the data of the confirmation page. */
export function fetchConfirmation(server: Pick<RunningServer, 'url'>, id: string) {
  return call<Confirmation>(server, `GET /appointments/confirmation/${id}`);
}

function withoutOverlaps(slots: readonly Slot[]): Slot[] {
  let previous = 0;
  return slots.filter(({ start }) => {
    const startMs = Date.parse(start);
    if (startMs < previous + HOUR_MS) return false;
    previous = startMs;
    return true;
  });
}
