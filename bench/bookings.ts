import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';

const AGENT = new Agent({ keepAlive: true });

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
  const { serviceId, idempotencyKey, ...facts } = wish;
  const { id }: { id: string } = JSON.parse(
    await postWithRetry(
      `${url}/api/v1/appointments/request/service?username=${username}`,
      JSON.stringify({ ...facts, service_id: serviceId, design_id: null, location: 'arms' }),
      { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
    ),
  );
  await postWithRetry(`${url}/api/v1/appointments/confirmation/${id}`);
}

/** Retries after a 503, which a busy machine may answer. @returns the body */
async function postWithRetry(
  url: string,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  for (;;) {
    const { status, text } = await post(url, body, headers);
    if (status < 300) return text;
    if (status !== 503) throw new Error(`${status} ${text}`);
  }
}

/** Not `fetch`: it takes several times as much of the processor that the server needs too. */
function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const length = { 'Content-Length': Buffer.byteLength(body) };
    const call = request(url, { agent: AGENT, method: 'POST', headers: { ...headers, ...length } });
    call.on('response', (response) => {
      const { statusCode: status = 0 } = response;
      readText(response).then((text) => resolve({ status, text }), reject);
    });
    call.on('error', reject);
    call.end(body);
  });
}
