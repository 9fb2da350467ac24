import { randomUUID } from 'node:crypto';
import type { Confirmation } from '#contract/appointment.ts';
import type { Availability, Slot } from '#contract/availability.ts';
import type { Service } from '#contract/service.ts';
import type { RunningServer } from '#support/sandbox.ts';

/** What a call answered. */
export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** A booking that a client wants to make; its key lets them ask again when no answer came. */
export interface Wish {
  readonly key: string;
  readonly body: string;
}

const HOUR_MS = 3_600_000;

/** Calls `GET /services` and the like, below `/api/v1`. */
export async function call<T = unknown>(
  { url }: Pick<RunningServer, 'url'>,
  what: string,
  { json, token, headers }: { json?: unknown; token?: string; headers?: HeadersInit } = {},
): Promise<Answer<T>> {
  const [method = 'GET', path = '/'] = what.split(' ');
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
export async function logIn(server: RunningServer, username: string): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/login/access-token`, {
    method: 'POST',
    body: new URLSearchParams({ username: `${username}@example.com`, password: 'tattoo-demo' }),
  });
  const { access_token }: { access_token: string } = await response.json();
  return access_token;
}

/** Bookings of the demo artist ana, each at a time that is free and that no other one touches. */
export async function wishes(server: RunningServer): Promise<Wish[]> {
  const { body: services } = await call<{ data: Service[] }>(server, 'GET /services/ana/available');
  const service = services.data.toSorted((a, b) => a.duration - b.duration)[0];
  if (!service) throw new Error('The demo has no services');
  const now = new Date();
  const months = [1, 2].map(
    (ahead) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)),
  );
  const answers = await Promise.all(
    months.map((month) =>
      call<Availability>(
        server,
        `GET /services/${service.id}/availability?year=${month.getUTCFullYear()}&month=${month.getUTCMonth() + 1}`,
      ),
    ),
  );
  const windows = answers.flatMap(({ body }) => body.data).flatMap((day) => day.windows);
  return apart(windows).map(({ start, end }) => ({
    key: randomUUID(),
    body: JSON.stringify({ email: 'rosa@example.com', service_id: service.id, start, end }),
  }));
}

/** Asks for a booking, as the form does. */
export function book(server: Pick<RunningServer, 'url'>, { key, body }: Wish) {
  return call<Confirmation>(server, 'POST /appointments/request/service?username=ana', {
    json: JSON.parse(body),
    headers: { 'Idempotency-Key': key },
  });
}

/** Confirms a booking, as its page does. */
export function confirmBooking(server: Pick<RunningServer, 'url'>, id: string) {
  return call<Confirmation>(server, `POST /appointments/confirmation/${id}`);
}

/** What a booking's page shows. */
export function read(server: Pick<RunningServer, 'url'>, id: string) {
  return call<Confirmation>(server, `GET /appointments/confirmation/${id}`);
}

function apart(windows: readonly Slot[]): Slot[] {
  let last = 0;
  return windows.filter(({ start }) => {
    const begins = Date.parse(start);
    if (begins < last + HOUR_MS) return false;
    last = begins;
    return true;
  });
}
