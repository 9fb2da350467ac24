import { DAY_MS, SECOND_MS } from '#domain/time/time.ts';
import { freePort } from '#support/free_port.ts';
import type { Benchmark } from './benchmark.ts';
import type { BookingTask } from './booking_clients.ts';
import { type BookingRequest, generateBookings } from './bookings.ts';
import { BROWSER_HEADERS, CONNECTIONS, fetchUntilCached } from './cached_page.ts';
import { cpuSeconds } from './cpu_usage.ts';
import { waitForMails } from './database.ts';
import { installWrk, runLoad } from './load.ts';
import { getRaw } from './raw_http.ts';
import { openAllDay, SLOT_MINUTES } from './request_and_confirm.ts';
import { measureAlternately, type Rounds } from './rounds.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import type { ServersTask } from './servers_together.ts';
import { openTaskWorker } from './task_worker.ts';

const CLIENTS = 10;
/** Of one round. */
const BOOKINGS = 50;
const LONGEST_DELIVERY_MS = 30 * SECOND_MS;
/** Prometheus asks every 15 to 60 seconds. A round loads a server for about one. */
const SCRAPE_EVERY = 15;

export const observability: Benchmark = {
  name: 'observability',
  title:
    'processor time of the server for a cached page, and for a booking, with its log and metrics',
  baseline: 'the same without metrics, with a log of errors only',
  target: { atMost: 1.05 },
  method:
    'Two servers in one process by turns, because two processes of the same program differ by more than log and metrics cost. One has METRICS_PORT, which is scraped in every 15th round, and the usual log; the other has LOG_LEVEL=error. What measures the whole process, its event loop and its garbage collection, costs both. The load is that of cached-page, then bookings, each a request and its confirmation. The ratio is that of the sums, the worse of both.',
  async measure(scale) {
    await installWrk();
    const metricsPort = await freePort();
    await using place = await openSandbox();
    await using otherPlace = await openSandbox();
    await using servers = openTaskWorker<ServersTask, number[]>('servers_together.ts');
    const ports = await servers.run({
      environments: [
        { ...place.environment, METRICS_PORT: String(metricsPort) },
        { ...otherPlace.environment, LOG_LEVEL: 'error' },
      ],
    });
    const ours = await prepareSide(place, ports[0]);
    const baseline = await prepareSide(otherPlace, ports[1]);
    await using clients = openTaskWorker<BookingTask, number>('booking_clients.ts');
    const rounds = scale === 'full' ? 60 : 5;
    const { pid } = servers;

    /** @param work returns how many answers or bookings it made */
    const compare = (work: (side: Side) => Promise<number>) => {
      const measure = async (side: Side, prepare?: () => Promise<void>) => {
        const before = await cpuSeconds(pid);
        await prepare?.();
        const count = await work(side);
        return ((await cpuSeconds(pid)) - before) / count;
      };
      let round = 0;
      const scrapeAtTimes = async () => {
        round += 1;
        if (round % SCRAPE_EVERY !== 0) return;
        const { status } = await getRaw(`http://127.0.0.1:${metricsPort}/metrics`, {});
        if (status !== 200) throw new Error(`The metrics are answered ${status}`);
      };
      return measureAlternately(
        rounds,
        () => measure(ours, scrapeAtTimes),
        () => measure(baseline),
      );
    };
    const pages = await compare(async ({ url }) => {
      const page = { url: `${url}/ana/`, pid, headers: BROWSER_HEADERS };
      return (await runLoad({ ...page, connections: CONNECTIONS, seconds: 1 })).answers;
    });
    const bookings = await compare(async ({ url, slots, databaseUrl }) => {
      const some = Array.from({ length: BOOKINGS }, () => slots.next().value);
      await clients.run({ url, username: 'ana', clients: CLIENTS, bookings: some });
      // They would cost the other side.
      await waitForMails(databaseUrl, LONGEST_DELIVERY_MS);
      return BOOKINGS;
    });

    const figures = [toFigure('cached page', pages), toFigure('booking', bookings)];
    const [worst] = figures.toSorted((a, b) => b.ratio - a.ratio);
    if (!worst) throw new RangeError('Nothing was measured');
    return { ...worst, notes: figures.map(({ note }) => note) };
  },
};

interface Side {
  readonly url: string;
  readonly databaseUrl: string;
  readonly slots: Generator<BookingRequest, never>;
}

async function prepareSide(place: Sandbox, port: number | undefined): Promise<Side> {
  const url = `http://127.0.0.1:${port}`;
  const databaseUrl = await place.databaseUrl();
  const serviceId = await openAllDay(databaseUrl);
  await fetchUntilCached(`${url}/ana/`);
  const tomorrow = Math.ceil(Date.now() / DAY_MS + 2) * DAY_MS;
  return { url, databaseUrl, slots: generateBookings(serviceId, tomorrow, SLOT_MINUTES) };
}

function toFigure(name: string, { ours, baseline }: Rounds) {
  const ratio = sum(ours) / sum(baseline);
  const ratios = ours.map((figure, round) => figure / (baseline[round] ?? Number.NaN));
  const mean = sum(ratios) / ratios.length;
  const variance = sum(ratios.map((one) => (one - mean) ** 2)) / (ratios.length - 1);
  const error = Math.sqrt(variance / ratios.length);
  const [own = '', other = ''] = [ours, baseline].map(
    (seconds) => `${((1e6 * sum(seconds)) / seconds.length).toFixed(1)} µs`,
  );
  return {
    ratio,
    ours: `${own} (${name})`,
    baseline: other,
    note: `${name}: ${ratio.toFixed(3)} ± ${error.toFixed(3)} (${own} against ${other}).`,
  };
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
