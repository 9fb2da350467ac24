import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import {
  findWorkers,
  openDemo,
  queryDatabase,
  type RunningServer,
  serveDemo,
} from '#support/sandbox.ts';
import { book, confirmBooking, createBookingInputs } from './bookings.ts';
import { findListenAddresses } from './listen_addresses.ts';

const WAIT = { timeout: 60_000, interval: 50 };
const ENV = { METRICS_PORT: '0' };
const REQUESTS = 'linework_http_request_duration_seconds_count';
/** Names in queries. Those of histograms have a suffix. */
const METRIC_NAME = /\b(?:linework|nodejs|process)_\w+/g;
const OF_HISTOGRAM = /_(?:bucket|count|sum)$/;

/** The address of the metrics, as the server logs it. */
async function metricsUrl(server: RunningServer): Promise<URL> {
  const [url = ''] = await server.waitForOutput(/http:\S+\/metrics/);
  return new URL(url);
}

async function scrape(server: RunningServer): Promise<string> {
  const response = await fetch(await metricsUrl(server));
  expect(response.status).toBe(200);
  return response.text();
}

/** The value of each series, by its name with labels. */
function seriesOf(scraped: string): Map<string, number> {
  const lines = scraped.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end))];
    }),
  );
}

/** The series that only grow: of counters and histograms. */
function countersOf(scraped: string): Map<string, number> {
  const names = [...scraped.matchAll(/^# TYPE (\w+) (?:counter|histogram)$/gm)].map(
    ([, name = '']) => name,
  );
  return new Map(
    [...seriesOf(scraped)].filter(([key]) => names.some((name) => key.startsWith(name))),
  );
}

/** Each request has a connection of its own, and so the workers take turns. */
async function requestHealth(server: RunningServer, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1)
    await fetch(`${server.url}/healthz`, { headers: { Connection: 'close' } });
}

function healthRequests(scraped: string): number | undefined {
  return seriesOf(scraped).get(`${REQUESTS}{route="/healthz",method="GET",status="200"}`);
}

describe('a server with two workers', () => {
  let server: RunningServer;
  const demo = serveDemo({ env: { ...ENV, WORKERS: '2' } });
  beforeAll(() => {
    server = demo.server;
  });

  test('adds up what both workers count', async () => {
    await requestHealth(server, 20);
    expect(healthRequests(await scrape(server))).toBe(20);
    const [input] = await createBookingInputs(server);
    if (!input) throw new Error('The demo has no free slot');
    const { body } = await book(server, input);
    await confirmBooking(server, body.id);
    expect((await book(server, { ...input, key: body.id })).status).toBe(409);
    const series = seriesOf(await scrape(server));
    expect(series.get('linework_bookings_total{outcome="held",reason=""}')).toBe(1);
    expect(series.get('linework_bookings_total{outcome="confirmed",reason=""}')).toBe(1);
    expect(series.get('linework_bookings_total{outcome="refused",reason="time_taken"}')).toBe(1);
    expect(series.get('linework_refusals_total{reason="time_taken"}')).toBe(1);
  });

  test('no counter falls when a worker is killed and replaced', async () => {
    await requestHealth(server, 20);
    const before = await scrape(server);
    const [killed = 0] = await findWorkers(server);
    process.kill(killed, 'SIGKILL');
    await server.waitForOutput(new RegExp(`process ${killed} ended \\(SIGKILL\\)`));
    const expectNoFall = (scraped: string) => {
      const now = countersOf(scraped);
      const fallen = [...countersOf(before)].filter(
        ([key, value]) => !((now.get(key) ?? 0) >= value),
      );
      expect(fallen).toEqual([]);
    };
    expectNoFall(await scrape(server));
    await vi.waitFor(async () => expect(await findWorkers(server)).toHaveLength(2), WAIT);
    const counted = healthRequests(before) ?? 0;
    await requestHealth(server, 20);
    await vi.waitFor(async () => {
      const after = await scrape(server);
      expectNoFall(after);
      expect(healthRequests(after)).toBe(counted + 20);
    }, WAIT);
  });

  test('a worker that hangs keeps its last figures, and the others are reported', async () => {
    const before = await scrape(server);
    const [stopped = 0] = await findWorkers(server);
    process.kill(stopped, 'SIGSTOP');
    try {
      const scraped = await scrape(server);
      expect(healthRequests(scraped)).toBe(healthRequests(before));
    } finally {
      process.kill(stopped, 'SIGCONT');
    }
  });

  test('listens for Prometheus only on the loopback address', async () => {
    expect(await findListenAddresses(Number((await metricsUrl(server)).port))).toEqual([
      '0100007F',
    ]);
  });

  test('promtool accepts all metrics', async () => {
    const promtool = spawn('promtool', ['check', 'metrics']);
    promtool.stdin.end(await scrape(server));
    const [output, errors] = [text(promtool.stdout), text(promtool.stderr)];
    const [code] = await once(promtool, 'exit');
    expect(`${await output}${await errors}`).toBe('');
    expect(code).toBe(0);
  });

  test('all metrics that alerts and dashboard use are there', async () => {
    const scraped = await scrape(server);
    for (const file of ['deploy/prometheus/alerts.yml', 'deploy/grafana/linework.json']) {
      const used = new Set(readFileSync(file, 'utf8').match(METRIC_NAME));
      expect(used.size).toBeGreaterThan(8);
      const missing = [...used].filter(
        (name) =>
          !scraped.includes(`# TYPE ${name} `) &&
          !scraped.includes(`# TYPE ${name.replace(OF_HISTOGRAM, '')} histogram\n`),
      );
      expect([file, missing]).toEqual([file, []]);
    }
  });
});

describe('a server with one process', () => {
  test('serves its metrics, also those of its database, on their own port, and not on that of the pages', async () => {
    await using sandbox = await openDemo();
    const server = await sandbox.serve({ env: ENV });
    expect((await fetch(`${server.url}/metrics`)).headers.get('Content-Type')).toContain('html');
    await requestHealth(server, 3);
    await queryDatabase(
      await sandbox.databaseUrl(),
      `INSERT INTO backups (finished_at, file, bytes, seconds)
      VALUES (to_timestamp(1700000000), 'linework.tar', 1000, 2)`,
    );
    const scraped = await scrape(server);
    expect(healthRequests(scraped)).toBe(3);
    expect(scraped).toContain('linework_last_backup_timestamp_seconds 1700000000\n');
    expect(scraped).toMatch(/^linework_database_connections\{state="idle"\} \d+$/m);
    const url = await metricsUrl(server);
    expect((await fetch(new URL('/', url))).status).toBe(404);
    expect((await server.stop()).code).toBe(0);
  });
});
