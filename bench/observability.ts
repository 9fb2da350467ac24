import { once } from 'node:events';
import { createServer } from 'node:net';
import { DAY_MS } from '#domain/time.ts';
import type { Benchmark } from './benchmark.ts';
import type { BookingTask } from './booking_clients.ts';
import { type BookingRequest, generateBookings } from './bookings.ts';
import { BROWSER_HEADERS, CONNECTIONS, fetchUntilCached } from './cached_page.ts';
import type { ChildServer } from './child_server.ts';
import { cpuSeconds } from './cpu_usage.ts';
import { installWrk, runLoad } from './load.ts';
import { getRaw } from './raw_http.ts';
import { openAllDay, SLOT_MINUTES } from './request_and_confirm.ts';
import { measureAlternately, median, medianRatio, type Rounds } from './rounds.ts';
import { openSandbox } from './sandbox.ts';
import { openTaskWorker } from './task_worker.ts';

const CLIENTS = 10;

export const observability: Benchmark = {
  name: 'observability',
  title:
    'processor time of the server for a cached page, and for a booking, with its log and metrics',
  baseline: 'the same without metrics, with a log of errors only',
  target: { atMost: 1.05 },
  method:
    'Two servers by turns, one with METRICS_PORT, which is scraped in every fourth round, and the usual log, the other with LOG_LEVEL=error: the load of cached-page, then bookings, each a request and its confirmation. The ratio is the worse of both.',
  async measure(scale) {
    await installWrk();
    const metricsPort = await findFreePort();
    await using observed = await openSide({ METRICS_PORT: String(metricsPort) });
    await using plain = await openSide({
      LOG_LEVEL: 'error',
      PORT: String(await findFreePort()),
    });
    await using clients = openTaskWorker<BookingTask, number>('booking_clients.ts');
    const isFull = scale === 'full';
    let round = 0;
    /** Prometheus asks every 15 to 60 seconds; a round takes four. */
    const scrape = async () => {
      round += 1;
      if (round % 4 !== 1) return;
      const { status } = await getRaw(`http://127.0.0.1:${metricsPort}/metrics`, {});
      if (status !== 200) throw new Error(`The metrics are answered ${status}`);
    };

    const load = async ({ url, pid }: ChildServer) => {
      const page = { url: `${url}/ana/`, pid, headers: BROWSER_HEADERS };
      const { perCpuSecond } = await runLoad({
        ...page,
        connections: CONNECTIONS,
        seconds: isFull ? 4 : 2,
      });
      return 1_000_000 / perCpuSecond;
    };
    const pages = await measureAlternately(
      isFull ? 15 : 5,
      async () => {
        await scrape();
        return load(observed.server);
      },
      () => load(plain.server),
    );

    const count = isFull ? 100 : 50;
    const book = async ({ server, slots }: Side) => {
      const bookings = Array.from({ length: count }, () => slots.next().value);
      const before = await cpuSeconds(server.pid);
      await clients.run({ url: server.url, username: 'ana', clients: CLIENTS, bookings });
      return ((await cpuSeconds(server.pid)) - before) * (1000 / count);
    };
    const bookings = await measureAlternately(
      isFull ? 15 : 5,
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

/** A server with its own data. */
interface Side extends AsyncDisposable {
  readonly server: ChildServer;
  readonly slots: Generator<BookingRequest, never>;
}

async function openSide(environment: Readonly<Record<string, string>>): Promise<Side> {
  const resources = new AsyncDisposableStack();
  const place = resources.use(await openSandbox());
  const server = resources.use(await place.serve(environment));
  const serviceId = await openAllDay(await place.databaseUrl());
  await fetchUntilCached(`${server.url}/ana/`);
  const tomorrow = Math.ceil(Date.now() / DAY_MS + 2) * DAY_MS;
  return {
    server,
    slots: generateBookings(serviceId, tomorrow, SLOT_MINUTES),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
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
