import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '#domain/time/time.ts';
import type { ReplayTask } from './baselines/booking_statements.ts';
import type { Benchmark } from './benchmark.ts';
import type { BookingTask } from './booking_clients.ts';
import { type BookingRequest, bookOverHttp, generateBookings } from './bookings.ts';
import { queryRows } from './database.ts';
import type { Query } from './record_statements.ts';
import { measureAlternately, median, medianRatio } from './rounds.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import { openTaskWorker } from './task_worker.ts';

const CLIENTS = 50;
export const SLOT_MINUTES = 15;
/** A query of a booking that was not recorded would make the yardstick too fast. */
const WRITTEN = [/insert into "?appointments\b/i, /insert into "?mails\b/i, /pgboss.*\bjob/is];
const AFTER_RESPONSE_MS = 500;
const RECORDER = new URL('record_statements.ts', import.meta.url).href;

export const requestAndConfirm: Benchmark = {
  name: 'booking',
  title: 'request + confirm, 50 clients on distinct slots of one artist',
  baseline: '`pg` running the same statements, no HTTP',
  target: { atLeast: 0.5 },
  method:
    'Bookings per second, each a request and its confirmation, mails included. The statements are those that the server sent for one booking, recorded in this run and sent again with the values of another slot: in order, in the same transactions, and together where the server sends several at once.',
  async measure(scale) {
    await using place = await openSandbox();
    const { slots, recordedFor, queries } = await recordBooking(place);
    await using server = await place.serve();
    await using clients = openTaskWorker<BookingTask, number>('booking_clients.ts');
    await using replay = openTaskWorker<ReplayTask, number>('baselines/booking_statements.ts');
    const databaseUrl = await place.databaseUrl();
    const each = scale === 'full' ? 200 : 100;
    const some = (): BookingRequest[] => Array.from({ length: each }, () => slots.next().value);
    const rounds = await measureAlternately(
      scale === 'full' ? 9 : 3,
      () => clients.run({ url: server.url, username: 'ana', clients: CLIENTS, bookings: some() }),
      () => replay.run({ databaseUrl, clients: CLIENTS, bookings: some(), queries, recordedFor }),
    );
    return {
      ratio: medianRatio(rounds),
      ours: `${median(rounds.ours).toFixed(0)}/s`,
      baseline: `${median(rounds.baseline).toFixed(0)}/s`,
      notes: [`A booking is ${queries.length} queries.`],
    };
  },
};

/** Opens the calendar, and records the queries of one booking. @throws Error when it has not seen all of them */
async function recordBooking(place: Sandbox) {
  await using server = await place.serve({}, ['--import', RECORDER]);
  const serviceId = await openAllDay(await place.databaseUrl());
  const slots = generateBookings(
    serviceId,
    Math.ceil(Date.now() / DAY_MS + 2) * DAY_MS,
    SLOT_MINUTES,
  );
  const recordedFor = slots.next().value;
  const book = () => bookOverHttp(server.url, 'ana', recordedFor);
  const queries = await recordQueries(server.process, 2, book);
  for (const part of WRITTEN)
    if (!queries.some(({ text }) => part.test(text)))
      throw new Error(`No recorded query of a booking matches ${part}`);
  return { slots, recordedFor, queries };
}

/** Adds a service of 15 minutes to a demo artist who is open day and night. */
export async function openAllDay(databaseUrl: string): Promise<string> {
  const allDay = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
    weekday,
    windows: [{ start: '00:00', end: '24:00' }],
  }));
  const [service] = await queryRows<{ id: string }>(
    databaseUrl,
    `WITH me AS (SELECT id FROM artists WHERE username = 'ana'),
       hours AS (
         UPDATE schedules SET weekly = $1, slot_interval_minutes = $2, buffer_minutes = 0,
           booking_range = '{"kind": "open"}'
         FROM me WHERE artist_id = me.id),
       dates AS (DELETE FROM schedule_exceptions USING me WHERE artist_id = me.id),
       past AS (UPDATE appointment_times SET occupies = false FROM me WHERE artist_id = me.id)
     INSERT INTO services (artist_id, name, description, duration_minutes)
     SELECT id, 'Touch-up', '', $2 FROM me RETURNING id`,
    [JSON.stringify(allDay), SLOT_MINUTES],
  );
  return service?.id ?? '';
}

/** Records the queries of this many requests, also those that follow their responses at once. */
async function recordQueries(
  server: NodeJS.EventEmitter,
  calls: number,
  make: () => Promise<void>,
): Promise<Query[]> {
  const queries: Query[] = [];
  const done = new Promise<void>((resolve) => {
    let left = calls;
    server.on('message', (what: Query | 'answered') => {
      if (what !== 'answered') queries.push(what);
      else {
        left -= 1;
        if (left === 0) resolve();
      }
    });
  });
  await make();
  await done;
  await sleep(AFTER_RESPONSE_MS);
  return queries;
}
