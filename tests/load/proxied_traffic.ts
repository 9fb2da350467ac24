import { setTimeout as sleep } from 'node:timers/promises';
import type { Confirmation } from '#contract/appointment.ts';
import type { BookingInput } from './bookings.ts';

/** What the clients of a proxy have seen. */
export interface TrafficReport {
  readonly views: number;
  readonly bookings: number;
  readonly confirmations: number;
  /** Answers with status 503, each of which was repeated until another answer came. */
  readonly unavailable: number;
  /** Failed connections and all other answers. */
  readonly failures: readonly string[];
}

const VIEWED = ['/ana', '/ana/scheduling', '/bo', '/api/v1/services/ana/available'];
const VIEWERS = 2;
const CLIENTS = 2;
/** Short enough for a stop, and long enough that the servers are not overloaded. */
const VIEW_PAUSE_MS = 10;
const BOOKING_PAUSE_MS = 150;
const RETRY_MS = 200;

/**
 * Opens pages, and books each of these times and confirms it, until `stop`. Clients repeat only what
 * was answered with 503, as `Retry-After` tells them.
 */
export function startTraffic(url: string, inputs: readonly BookingInput[]) {
  const counts = { views: 0, bookings: 0, confirmations: 0, unavailable: 0 };
  const failures: string[] = [];
  const waiting = [...inputs];
  let isStopped = false;

  /** Returns the body of the first answer that is not 503; undefined if it is a failure. */
  async function send(path: string, init: RequestInit = {}): Promise<string | undefined> {
    for (;;) {
      const name = `${init.method ?? 'GET'} ${path}`;
      try {
        const response = await fetch(url + path, init);
        const body = await response.text();
        if (response.ok) return body;
        if (response.status !== 503) {
          failures.push(`${name}: ${response.status} ${body.slice(0, 200)}`);
          return undefined;
        }
        counts.unavailable++;
      } catch (error) {
        failures.push(`${name}: ${error instanceof Error ? (error.cause ?? error) : error}`);
        return undefined;
      }
      await sleep(RETRY_MS);
    }
  }

  async function view(first: number): Promise<void> {
    for (let nth = first; !isStopped; nth++) {
      const body = await send(VIEWED[nth % VIEWED.length] ?? '/');
      if (body !== undefined) counts.views++;
      await sleep(VIEW_PAUSE_MS);
    }
  }

  async function book(): Promise<void> {
    for (let input = waiting.shift(); input && !isStopped; input = waiting.shift()) {
      const body = await send('/api/v1/appointments/request/service?username=ana', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': input.key },
        body: input.body,
      });
      if (body !== undefined) {
        counts.bookings++;
        const { id }: Confirmation = JSON.parse(body);
        const path = `/api/v1/appointments/confirmation/${id}`;
        if ((await send(path, { method: 'POST' })) !== undefined) counts.confirmations++;
      }
      await sleep(BOOKING_PAUSE_MS);
    }
  }

  const visitors = Promise.all([
    ...Array.from({ length: VIEWERS }, (_, nth) => view(nth)),
    ...Array.from({ length: CLIENTS }, book),
  ]);
  return {
    /** Lets the requests in flight finish. */
    async stop(): Promise<TrafficReport> {
      isStopped = true;
      await visitors;
      return { ...counts, failures };
    },
  };
}
