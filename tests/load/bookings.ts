import { randomUUID } from 'node:crypto';
import type { Confirmation } from '#contract/appointment.ts';
import type { Availability, Slot } from '#contract/availability.ts';
import type { Service } from '#contract/service.ts';
import type { RunningServer } from '#support/sandbox.ts';

export interface ApiResponse<T> {
  readonly status: number;
  readonly body: T;
}

/** The body of a booking, with an idempotency key for repeated attempts. */
export interface BookingInput {
  readonly key: string;
  readonly body: string;
}

const HOUR_MS = 3_600_000;

/** Calls an operation such as `GET /services`, below `/api/v1`. */
export async function call<T = unknown>(
  { url }: Pick<RunningServer, 'url'>,
  operation: string,
  { json, token, headers }: { json?: unknown; token?: string; headers?: HeadersInit } = {},
): Promise<ApiResponse<T>> {
  const [method = 'GET', path = '/'] = operation.split(' ');
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** Logs a demo artist in. */
export async function logIn(server: Pick<RunningServer, 'url'>, username: string): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/login/access-token`, {
    method: 'POST',
    body: new URLSearchParams({ username: `${username}@example.com`, password: 'tattoo-demo' }),
  });
  const { access_token }: { access_token: string } = await response.json();
  return access_token;
}

/** Creates bookings of the demo artist ana at free slots that do not overlap. */
export async function createBookingInputs(server: RunningServer): Promise<BookingInput[]> {
  const { body: services } = await call<{ data: Service[] }>(server, 'GET /services/ana/available');
  const service = services.data.toSorted((a, b) => a.duration - b.duration)[0];
  if (!service) throw new Error('The demo has no services');
  const now = new Date();
  const months = [1, 2].map(
    (ahead) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)),
  );
  const responses = await Promise.all(
    months.map((month) =>
      call<Availability>(
        server,
        `GET /services/${service.id}/availability?year=${month.getUTCFullYear()}&month=${month.getUTCMonth() + 1}`,
      ),
    ),
  );
  const slots = responses.flatMap(({ body }) => body.data).flatMap((day) => day.windows);
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
