import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DAY_MS } from '#domain/time.ts';
import type { Benchmark } from './benchmark.ts';
import type { BookingTask } from './booking_clients.ts';
import { type BookingRequest, generateBookings } from './bookings.ts';
import { BROWSER_HEADERS, CONNECTIONS, fetchUntilCached } from './cached_page.ts';
import { cpuSeconds } from './cpu_usage.ts';
import { installWrk, runLoad } from './load.ts';
import { getRaw } from './raw_http.ts';
import { openAllDay, SLOT_MINUTES } from './request_and_confirm.ts';
import { measureAlternately, median, medianRatio, type Rounds } from './rounds.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import type { ServerPairTask } from './server_pair.ts';
import { openTaskWorker } from './task_worker.ts';

const CLIENTS = 10;
const POLL_MS = 50;
const MAX_POLLS = 600;

export const observability: Benchmark = {
  name: 'observability',
  title:
    'processor time of the server for a cached page, and for a booking, with its log and metrics',
  baseline: 'the same without metrics, with a log of errors only',
  target: { atMost: 1.05 },
  method:
    'Two servers in one process by turns, because two processes of the same program differ by more than log and metrics cost. One has METRICS_PORT, which is scraped in every eighth round, and the usual log, the other has LOG_LEVEL=error: the load of cached-page, then bookings, each a request and its confirmation. The ratio is the worse of both.',
  async measure(scale) {
    await installWrk();
    const metricsPort = await findFreePort();
    await using observedPlace = await openSandbox();
    await using plainPlace = await openSandbox();
    await using servers = openTaskWorker<ServerPairTask, number[]>('server_pair.ts');
    const ports = await servers.run({
      environments: [
        { ...observedPlace.environment, METRICS_PORT: String(metricsPort) },
        { ...plainPlace.environment, LOG_LEVEL: 'error' },
      ],
    });
    const [observed, plain] = await Promise.all([
      prepareSide(observedPlace, ports[0]),
      prepareSide(plainPlace, ports[1]),
    ]);
    await using clients = openTaskWorker<BookingTask, number>('booking_clients.ts');
    const isFull = scale === 'full';
    let round = 0;
    /** Prometheus asks every 15 to 60 seconds; a round takes two. */
    const scrape = async () => {
      round += 1;
      if (round % 8 !== 1) return;
      const { status } = await getRaw(`http://127.0.0.1:${metricsPort}/metrics`, {});
      if (status !== 200) throw new Error(`The metrics are answered ${status}`);
    };

    const { pid } = servers;
    const load = async ({ url }: Side) => {
      const page = { url: `${url}/ana/`, pid, headers: BROWSER_HEADERS };
      const { perCpuSecond } = await runLoad({ ...page, connections: CONNECTIONS, seconds: 2 });
      return 1_000_000 / perCpuSecond;
    };
    const pages = await measureAlternately(
      isFull ? 40 : 5,
      async () => {
        await scrape();
        return load(observed);
      },
      () => load(plain),
    );

    const count = isFull ? 100 : 50;
    const book = async ({ url, slots, waitForMails }: Side) => {
      const bookings = Array.from({ length: count }, () => slots.next().value);
      const before = await cpuSeconds(pid);
      await clients.run({ url, username: 'ana', clients: CLIENTS, bookings });
      await waitForMails();
      return ((await cpuSeconds(pid)) - before) * (1000 / count);
    };
    const bookings = await measureAlternately(
      isFull ? 40 : 5,
      async () => {
        await scrape();
        return book(observed);
      },
      () => book(plain),
    );

    const figures = [
      { name: 'cached page', rounds: pages, unit: 'µs' },
      { name: 'booking', rounds: bookings, unit: 'ms' },
    ].map(toFigure);
    const [worst] = figures.toSorted((a, b) => b.ratio - a.ratio);
    if (!worst) throw new RangeError('Nothing was measured');
    return { ...worst, notes: figures.map(({ note }) => note) };
  },
};

interface Side {
  readonly url: string;
  readonly slots: Generator<BookingRequest, never>;
  /** Resolves when the mails about the bookings are written, which else would cost the other side. */
  readonly waitForMails: () => Promise<void>;
}

async function prepareSide(place: Sandbox, port: number | undefined): Promise<Side> {
  const url = `http://127.0.0.1:${port}`;
  const databaseUrl = await place.databaseUrl();
  const serviceId = await openAllDay(databaseUrl);
  await fetchUntilCached(`${url}/ana/`);
  const tomorrow = Math.ceil(Date.now() / DAY_MS + 2) * DAY_MS;
  return {
    url,
    slots: generateBookings(serviceId, tomorrow, SLOT_MINUTES),
    waitForMails: () => waitForMails(databaseUrl),
  };
}

async function waitForMails(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (let poll = 0; poll < MAX_POLLS; poll += 1) {
      const { rowCount } = await client.query(
        `SELECT FROM mails WHERE status = 'queued' AND coalesce(waits_until <= now(), true) LIMIT 1`,
      );
      if (rowCount === 0) return;
      await sleep(POLL_MS);
    }
    throw new Error('The mails about the bookings were not written');
  } finally {
    await client.end();
  }
}

function toFigure({ name, rounds, unit }: { name: string; rounds: Rounds; unit: string }) {
  const ratio = medianRatio(rounds);
  const [ours, baseline] = [rounds.ours, rounds.baseline].map(
    (figures) => `${median(figures).toFixed(2)} ${unit}`,
  );
  return {
    ratio,
    ours: `${ours} (${name})`,
    baseline: baseline ?? '',
    note: `${name}: ${ratio.toFixed(3)} (${ours} against ${baseline}).`,
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port');
  return address.port;
}
