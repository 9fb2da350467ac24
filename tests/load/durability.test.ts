import { describe, expect, test, vi } from 'vitest';
import { openSandbox, queryDatabase, type RunningServer, type Sandbox } from '#support/sandbox.ts';
import { book, confirmBooking, read, type Wish, wishes } from './bookings.ts';

const CLIENTS = 8;
/** How many bookings stand when something is killed. */
const ENOUGH = 40;
const AGAIN_MS = 20;

describe.concurrent('a stream of bookings', () => {
  test('every 201 and every confirmation outlives a server that is killed in the middle', async () => {
    await using place = await openSandbox();
    const server = await place.serve();
    const stream = openStream(server, await wishes(server));
    await stream.until(ENOUGH);
    server.process.kill('SIGKILL');
    await stream.ended;
    const after = await place.serve();

    expect(after.output()).toContain('Taking over the database');
    expect([...stream.statuses].toSorted()).toEqual([200, 201]);
    await expectKept(after, stream);
  });

  test('while a killed PostgreSQL is away the answer is 503; the server comes back by itself with every 201', async () => {
    await using place = await openSandbox();
    const server = await place.serve();
    const stream = openStream(server, await wishes(server));
    await stream.until(ENOUGH);
    process.kill(Number(await place.postmaster()), 'SIGKILL');
    await server.waitForOutput(/PostgreSQL runs again/);
    await stream.until(stream.held.size + ENOUGH / 2);

    process.kill(await backendOf(place), 'SIGKILL');
    await stream.until(stream.held.size + ENOUGH / 2);
    stream.close();
    await stream.ended;

    expect([...stream.statuses].toSorted()).toEqual([200, 201, 503]);
    expect(server.process.exitCode).toBeNull();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await expectKept(server, stream);
  });
});

/** Clients that book and confirm without a pause. */
interface Stream {
  /** The ids that were answered 201. */
  readonly held: ReadonlySet<string>;
  /** The ids whose confirmation was answered 200. */
  readonly confirmed: ReadonlySet<string>;
  readonly statuses: ReadonlySet<number>;
  readonly ended: Promise<unknown>;
  until(held: number): Promise<void>;
  close(): void;
}

function openStream(server: RunningServer, open: Wish[]): Stream {
  const held = new Set<string>();
  const confirmed = new Set<string>();
  const statuses = new Set<number>();
  const closed = new AbortController();
  // As a client does: after a 503 the same again, after a connection that broke no more.
  const insist = async <T extends { status: number }>(ask: () => Promise<T>) => {
    while (!closed.signal.aborted) {
      const answer = await ask();
      statuses.add(answer.status);
      if (answer.status !== 503) return answer;
      await new Promise((again) => setTimeout(again, AGAIN_MS));
    }
    return undefined;
  };
  const client = async () => {
    for (let wish = open.pop(); wish && !closed.signal.aborted; wish = open.pop()) {
      const mine = wish;
      const answer = await insist(() => book(server, mine));
      if (answer?.status !== 201) continue;
      const { id } = answer.body;
      held.add(id);
      if ((await insist(() => confirmBooking(server, id)))?.status === 200) confirmed.add(id);
    }
  };
  const clients = Array.from({ length: CLIENTS }, () => client().catch(() => closed.abort()));
  return {
    held,
    confirmed,
    statuses,
    ended: Promise.all(clients),
    until: (enough) =>
      vi.waitFor(() => expect(held.size).toBeGreaterThanOrEqual(enough), {
        timeout: 20_000,
        interval: 2,
      }),
    close: () => closed.abort(),
  };
}

async function expectKept(server: RunningServer, { held, confirmed }: Stream): Promise<void> {
  expect(held.size).toBeGreaterThanOrEqual(ENOUGH);
  expect(confirmed.size).toBeGreaterThan(0);
  const shown = await Promise.all([...held].map((id) => read(server, id)));
  expect(shown.filter(({ status }) => status !== 200)).toEqual([]);
  const unconfirmed = shown.filter(({ body }) => confirmed.has(body.id) && !body.confirmed);
  expect(unconfirmed).toEqual([]);
}

/** A process of PostgreSQL that serves one of the server's connections. */
async function backendOf(place: Sandbox): Promise<number> {
  const [found] = await queryDatabase(
    await place.databaseUrl(),
    `SELECT pid FROM pg_stat_activity
     WHERE datname = 'linework' AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  );
  return Number(found?.[0]);
}
