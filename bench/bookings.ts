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

export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Requests a slot, once. */
export function requestSlot(url: string, username: string, wish: BookingRequest): Promise<Reply> {
  const { serviceId, idempotencyKey, ...facts } = wish;
  return post(
    `${url}/api/v1/appointments/request/service?username=${username}`,
    JSON.stringify({ ...facts, service_id: serviceId, design_id: null, location: 'arms' }),
    { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
  );
}

/** Confirms the appointment of a reply to `requestSlot`, once. */
export function confirmSlot(url: string, requested: Reply): Promise<Reply> {
  const { id }: { id: string } = JSON.parse(requested.text);
  return post(`${url}/api/v1/appointments/confirmation/${id}`);
}

/** Books over HTTP, as the form and the confirmation page do. */
export async function bookOverHttp(
  url: string,
  username: string,
  wish: BookingRequest,
): Promise<void> {
  const requested = await retry(() => requestSlot(url, username, wish));
  await retry(() => confirmSlot(url, requested));
}

/** Sends again after a 503, which a busy machine may answer. @throws Error when it is refused */
async function retry(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await send();
    if (reply.status < 300) return reply;
    if (reply.status !== 503) throw new Error(`${reply.status} ${reply.text}`);
  }
}

/** Not `fetch`: it takes several times as much of the processor that the server needs too. */
function post(
  url: string,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
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
