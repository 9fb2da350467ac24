import { randomUUID } from 'node:crypto';

/** A booking that a client makes: a request for a slot, then its confirmation. */
export interface BookingRequest {
  readonly serviceId: string;
  readonly email: string;
  readonly idempotencyKey: string;
  /** As availability lists them: `end` is the last minute inside. */
  readonly start: string;
  readonly end: string;
}

/** Endless bookings of distinct slots. */
export function* generateBookings(
  serviceId: string,
  from: number,
  minutes: number,
): Generator<BookingRequest, never> {
  for (let start = from; ; start += minutes * 60_000)
    yield {
      serviceId,
      email: `client-${start / 60_000}@example.com`,
      idempotencyKey: randomUUID(),
      start: formatInstant(start),
      end: formatInstant(start + (minutes - 1) * 60_000),
    };
}

function formatInstant(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`;
}

/** Makes all bookings with this many concurrent clients; returns the seconds that it took. */
export async function runClients(
  clients: number,
  all: readonly BookingRequest[],
  book: (wish: BookingRequest) => Promise<void>,
): Promise<number> {
  const left = [...all];
  const start = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let wish = left.pop(); wish; wish = left.pop()) await book(wish);
    }),
  );
  return (performance.now() - start) / 1000;
}

/** Books over HTTP, as the form and the confirmation page do. */
export async function bookOverHttp(
  url: string,
  username: string,
  wish: BookingRequest,
): Promise<void> {
  const { serviceId, idempotencyKey: key, ...request } = wish;
  const { id }: { id: string } = await fetchWithRetry(
    `${url}/api/v1/appointments/request/service?username=${username}`,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify({
        ...request,
        service_id: serviceId,
        design_id: null,
        location: 'arms',
      }),
    },
  );
  await fetchWithRetry(`${url}/api/v1/appointments/confirmation/${id}`, { method: 'POST' });
}

/** Retries after a 503, which a busy machine may answer. */
async function fetchWithRetry(url: string, init: RequestInit) {
  for (;;) {
    const response = await fetch(url, init);
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    if (response.status !== 503) throw new Error(`${response.status} ${text}`);
  }
}
