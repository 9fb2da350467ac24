import { describe, expect, test, vi } from 'vitest';
import { openDemo, queryDatabase, type RunningServer, type Sandbox } from '#support/sandbox.ts';
import {
  type BookingInput,
  book,
  confirmBooking,
  createBookingInputs,
  fetchConfirmation,
} from './bookings.ts';

const CLIENTS = 8;
/** The number of bookings before a process is killed. */
const MIN_BOOKINGS = 40;
const RETRY_MS = 20;

describe.concurrent('a stream of bookings', () => {
  test('every acknowledged booking and confirmation survives a SIGKILL of the server', async () => {
    await using sandbox = await openDemo();
    const server = await sandbox.serve();
    const stream = openStream(server, await createBookingInputs(server));
    await stream.until(MIN_BOOKINGS);
    server.process.kill('SIGKILL');
    await stream.ended;
    const after = await sandbox.serve();

    expect(after.output()).toContain('Taking over the database');
    expect([...stream.statuses].toSorted()).toEqual([200, 201]);
    await expectStored(after, stream);
  });

  test('bookings get 503 while a killed PostgreSQL restarts, and no acknowledged one is lost', async () => {
    await using sandbox = await openDemo();
    const server = await sandbox.serve();
    const stream = openStream(server, await createBookingInputs(server));
    await stream.until(MIN_BOOKINGS);
    process.kill(Number(await sandbox.postmaster()), 'SIGKILL');
    await server.waitForOutput(/PostgreSQL runs again/);
    await stream.until(stream.held.size + MIN_BOOKINGS / 2);

    process.kill(await findBackendPid(sandbox), 'SIGKILL');
    await stream.until(stream.held.size + MIN_BOOKINGS / 2);
    stream.close();
    await stream.ended;

    expect([...stream.statuses].toSorted()).toEqual([200, 201, 503]);
    expect(server.process.exitCode).toBeNull();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await expectStored(server, stream);
  });
});

/** Clients that book and confirm without a pause. */
function openStream(server: RunningServer, bookings: BookingInput[]) {
  const held = new Set<string>();
  const confirmed = new Set<string>();
  const statuses = new Set<number>();
  const cancelled = new AbortController();
  // Like a real client: retries after a 503, and stops after a broken connection.
  const retryOn503 = async <T extends { status: number }>(send: () => Promise<T>) => {
    while (!cancelled.signal.aborted) {
      const response = await send();
      statuses.add(response.status);
      if (response.status !== 503) return response;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    return undefined;
  };
  const client = async () => {
    for (
      let booking = bookings.pop();
      booking && !cancelled.signal.aborted;
      booking = bookings.pop()
    ) {
      const current = booking;
      const response = await retryOn503(() => book(server, current));
      if (response?.status !== 201) continue;
      const { id } = response.body;
      held.add(id);
      if ((await retryOn503(() => confirmBooking(server, id)))?.status === 200) confirmed.add(id);
    }
  };
  const clients = Array.from({ length: CLIENTS }, () => client().catch(() => cancelled.abort()));
  return {
    /** The ids of responses with 201. */
    held,
    /** The ids of confirmations with 200. */
    confirmed,
    statuses,
    ended: Promise.all(clients),
    until: (count: number) =>
      vi.waitFor(() => expect(held.size).toBeGreaterThanOrEqual(count), {
        timeout: 20_000,
        interval: 2,
      }),
    close: () => cancelled.abort(),
  };
}

async function expectStored(
  server: RunningServer,
  { held, confirmed }: ReturnType<typeof openStream>,
): Promise<void> {
  expect(held.size).toBeGreaterThanOrEqual(MIN_BOOKINGS);
  expect(confirmed.size).toBeGreaterThan(0);
  const responses = await Promise.all([...held].map((id) => fetchConfirmation(server, id)));
  expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
  const unconfirmed = responses.filter(({ body }) => confirmed.has(body.id) && !body.confirmed);
  expect(unconfirmed).toEqual([]);
}

/** The pid of a PostgreSQL backend that serves the server. */
async function findBackendPid(sandbox: Sandbox): Promise<number> {
  const [row] = await queryDatabase(
    await sandbox.databaseUrl(),
    `SELECT pid FROM pg_stat_activity
     WHERE datname = 'linework' AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  return Number(row?.[0]);
}
