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
import { openSandbox, type Sandbox } from './sandbox.ts';
import type { ServersTask } from './servers_together.ts';
import { openTaskWorker } from './task_worker.ts';

const CLIENTS = 10;
const POLL_MS = 50;
const MAX_POLLS = 600;
const WARM_UP_ROUNDS = 3;
/** Prometheus asks every 15 to 60 seconds. A round loads a server for about one. */
const SCRAPE_EVERY = 15;

export const observability: Benchmark = {
  name: 'observability',
  title:
    'processor time of the server for a cached page, and for a booking, with its log and metrics',
  baseline: 'the same without metrics, with a log of errors only',
  target: { atMost: 1.05 },
  method:
    'Three servers in one process by turns, because two processes of the same program differ by more than log and metrics cost. One has METRICS_PORT, which is scraped in every 15th round, and the usual log; two have LOG_LEVEL=error, and differ only by chance, which the notes tell. What measures the whole process, its event loop and its garbage collection, costs all three. The load is that of cached-page, then bookings, each a request and its confirmation. The ratio is that of the sums, the worse of both.',
  async measure(scale) {
    await installWrk();
    const metricsPort = await findFreePort();
    await using places = new AsyncDisposableStack();
    const openPlace = async () => places.use(await openSandbox());
    const [first, second, third] = [await openPlace(), await openPlace(), await openPlace()];
    await using servers = openTaskWorker<ServersTask, number[]>(
      'servers_together.ts',
      first.environment,
    );
    const ports = await servers.run({
      environments: [
        { ...first.environment, METRICS_PORT: String(metricsPort) },
        { ...second.environment, LOG_LEVEL: 'error' },
        { ...third.environment, LOG_LEVEL: 'error' },
      ],
    });
    const sides: Sides<Side> = {
      ours: await prepareSide(first, ports[0]),
      baseline: await prepareSide(second, ports[1]),
      control: await prepareSide(third, ports[2]),
    };
    await using clients = openTaskWorker<BookingTask, number>('booking_clients.ts');
    const isFull = scale === 'full';
    const rounds = isFull ? 60 : 5;
    const scrape = async () => {
      const { status } = await getRaw(`http://127.0.0.1:${metricsPort}/metrics`, {});
      if (status !== 200) throw new Error(`The metrics are answered ${status}`);
    };

    const { pid } = servers;
    const load = async ({ url }: Side) => {
      const page = { url: `${url}/ana/`, pid, headers: BROWSER_HEADERS };
      return (await runLoad({ ...page, connections: CONNECTIONS, seconds: 1 })).answers;
    };
    const pages = await measureThree(rounds, pid, sides, load, scrape);

    const count = 50;
    const book = async ({ url, slots, waitForMails }: Side) => {
      const bookings = Array.from({ length: count }, () => slots.next().value);
      await clients.run({ url, username: 'ana', clients: CLIENTS, bookings });
      await waitForMails();
      return count;
    };
    const bookings = await measureThree(rounds, pid, sides, book, scrape);

    const figures = [
      { name: 'cached page', measured: pages, unit: 'µs', scale: 1e6 },
      { name: 'booking', measured: bookings, unit: 'ms', scale: 1000 },
    ].map(toFigure);
    const [worst] = figures.toSorted((a, b) => b.ratio - a.ratio);
    if (!worst) throw new RangeError('Nothing was measured');
    return { ...worst, notes: figures.map(({ note }) => note) };
  },
};

/** What is measured of each server; `control` is a second baseline. */
interface Sides<T> {
  readonly ours: T;
  readonly baseline: T;
  readonly control: T;
}

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

/**
 * Measures all by turns, in another order each round. The first rounds only warm up.
 * @param work returns how many answers or bookings it made
 * @returns the seconds of a processor for each of them
 */
async function measureThree(
  rounds: number,
  pid: number,
  sides: Sides<Side>,
  work: (side: Side) => Promise<number>,
  scrape: () => Promise<void>,
): Promise<Sides<number[]>> {
  const figures: Sides<number[]> = { ours: [], baseline: [], control: [] };
  const names = ['ours', 'baseline', 'control'] as const;
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    const turned = [...names, ...names].slice(Math.abs(round) % 3, (Math.abs(round) % 3) + 3);
    for (const name of round % 2 === 0 ? turned : turned.toReversed()) {
      const before = await cpuSeconds(pid);
      if (name === 'ours' && round % SCRAPE_EVERY === 0) await scrape();
      const count = await work(sides[name]);
      const used = (await cpuSeconds(pid)) - before;
      if (round >= 0) figures[name].push(used / count);
    }
  }
  return figures;
}

function toFigure({
  name,
  measured: { ours, baseline, control },
  unit,
  scale,
}: {
  name: string;
  measured: Sides<number[]>;
  unit: string;
  /** So many of the unit are a second. */
  scale: number;
}) {
  const { ratio, error } = compareSums(ours, baseline);
  const chance = compareSums(control, baseline);
  const [own, other] = [ours, baseline].map(
    (figures) => `${((scale * sum(figures)) / figures.length).toFixed(2)} ${unit}`,
  );
  return {
    ratio,
    ours: `${own} (${name})`,
    baseline: other ?? '',
    note: `${name}: ${ratio.toFixed(3)} ± ${error.toFixed(3)} (${own} against ${other}); the baseline against itself ${chance.ratio.toFixed(3)} ± ${chance.error.toFixed(3)}.`,
  };
}

/** The ratio of the sums, and its standard error by the ratios of the rounds. */
function compareSums(ours: readonly number[], baseline: readonly number[]) {
  const ratios = ours.map((figure, round) => figure / (baseline[round] ?? Number.NaN));
  const mean = sum(ratios) / ratios.length;
  const variance = sum(ratios.map((ratio) => (ratio - mean) ** 2)) / (ratios.length - 1);
  return { ratio: sum(ours) / sum(baseline), error: Math.sqrt(variance / ratios.length) };
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
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
