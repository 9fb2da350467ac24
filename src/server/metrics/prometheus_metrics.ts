/** The metrics of a process: counts events with prom-client, and reads the gauges when Prometheus asks. */
import {
  type Aggregator,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import { MAIL_KINDS } from '#domain/mail/mail.ts';
import type { Instant } from '#domain/time/time.ts';
import { createBoundedRead } from './bounded_read.ts';
import type { BookingOutcome, CacheOutcome, MailOutcome, Metrics } from './metrics.ts';

/** Values that are read at each scrape, beside the counts. Each read may fail or hang. */
export interface MetricsSources {
  readonly build: { readonly version: string; readonly migration: string };
  readonly pageCache: {
    readonly bytes: number;
    /** How many responses are stored. */
    readonly size: number;
    /** False while the process may miss invalidations. */
    readonly isEnabled: boolean;
  };
  /** Undefined if the caller of `openContext` has its own pool. */
  readonly pool: (() => PoolUse) | undefined;
  readonly queues: () => Promise<QueueSizes>;
  readonly disk: () => Promise<{ readonly freeBytes: number; readonly totalBytes: number }>;
  /** When the last backup was completed; undefined if there is none. */
  readonly lastBackupAt: () => Promise<Instant | undefined>;
}

/** The connections of a pool, and the queries that wait for one. */
export interface PoolUse {
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}

/** The work that waits in the database. */
interface QueueSizes {
  readonly mails: {
    readonly queued: number;
    readonly failed: number;
    /** How many seconds ago the oldest queued mail was due; 0 without one. */
    readonly oldestSeconds: number;
  };
  readonly jobs: readonly {
    readonly queue: string;
    readonly state: string;
    readonly count: number;
  }[];
}

/** The metrics of one process. */
export interface PrometheusMetrics extends Metrics {
  /** All of them in Prometheus' text format. */
  format(): Promise<string>;
  /** All of them as JSON, to be added to those of other processes. */
  toJson(): Promise<object[]>;
}

/** Seconds: from a hit of the cache, below 1 ms, to a call that waits for a connection. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Other methods are one label: a client may send any that Node knows. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS']);

const CACHE_OUTCOMES: readonly CacheOutcome[] = ['hit', 'stale', 'miss', 'bypass'];
const NEW_BOOKING_OUTCOMES: readonly BookingOutcome[] = ['held', 'requested', 'confirmed'];
const MAIL_OUTCOMES: readonly MailOutcome[] = ['sent', 'saved', 'retried', 'failed'];

/** How old a value may be that is read from the database or the disk: a second scraper costs no second query. */
const MAX_AGE_MS = 5000;
/** How long reading a value may take. Prometheus gives up after 10 s. */
export const READ_TIMEOUT_MS = 2000;

/**
 * How often a timer measures the event loop. The figures include it, so an idle process shows 0.05 s.
 * With prom-client's 10 ms, an idle process uses 0.8 % of a core for it instead of 0.2 %.
 */
const EVENT_LOOP_INTERVAL_MS = 50;

/** prom-client's names of gauges end like those of counters, which `promtool check metrics` refuses. */
const MISNAMED_METRICS = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];
/** Of these, the worst process counts; prom-client would average them. */
const EVENT_LOOP_METRIC = /^nodejs_eventloop_lag_(?:seconds|mean|stddev|p\d\d)/;

/** Creates the metrics of a process that serves requests. Create them once in a process. */
export function createPrometheusMetrics(sources: MetricsSources): PrometheusMetrics {
  const registry = createProcessRegistry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'linework_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response, by route pattern.',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const cacheResponses = new Counter({
    name: 'linework_page_cache_responses_total',
    help: 'Responses to reads of pages and of cached API routes, by what the page cache did.',
    labelNames: ['outcome'],
    registers,
  });
  const refusals = new Counter({
    name: 'linework_refusals_total',
    help: 'Calls of the API that were refused, by reason; pages call it too.',
    labelNames: ['reason'],
    registers,
  });
  const bookings = new Counter({
    name: 'linework_bookings_total',
    help: 'Bookings and confirmations of clients, by outcome; with the reason if refused.',
    labelNames: ['outcome', 'reason'],
    registers,
  });
  const mails = new Counter({
    name: 'linework_mails_total',
    help: 'Attempts to hand a mail to the mail server, by kind of mail and outcome.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  // Prometheus sees an increase, for an alert, only after it has seen the 0.
  for (const outcome of NEW_BOOKING_OUTCOMES) bookings.inc({ outcome, reason: '' }, 0);
  for (const kind of MAIL_KINDS)
    for (const outcome of MAIL_OUTCOMES) mails.inc({ kind, outcome }, 0);
  for (const outcome of CACHE_OUTCOMES) cacheResponses.inc({ outcome }, 0);

  addProcessGauges(registry, sources);
  addSharedGauges(registry, sources);

  return {
    observeRequest({ route, method, status, seconds, cache }) {
      const label = METHODS.has(method) ? method : 'other';
      requests.observe({ route, method: label, status }, seconds);
      if (cache !== undefined) cacheResponses.inc({ outcome: cache });
    },
    countRefusal: (reason) => refusals.inc({ reason }),
    // For Prometheus, an empty label is the same as no label.
    countBooking: (outcome, reason) => bookings.inc({ outcome, reason: reason ?? '' }),
    countMail: (kind, outcome) => mails.inc({ kind, outcome }),
    format: () => registry.metrics(),
    toJson: () => toJson(registry),
  };
}

/** Memory, processor time, file descriptors, garbage collection and event loop of this process. */
export function createProcessRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: EVENT_LOOP_INTERVAL_MS,
  });
  for (const name of MISNAMED_METRICS) registry.removeSingleMetric(name);
  return registry;
}

/** The metrics of a registry, as they are added to those of other processes. */
export async function toJson(registry: Registry): Promise<object[]> {
  const metrics = await registry.getMetricsAsJSON();
  return metrics.map((metric) =>
    EVENT_LOOP_METRIC.test(metric.name) ? { ...metric, aggregator: 'max' } : metric,
  );
}

/**
 * Returns a function that adds a gauge. The gauge is absent while `read` answers undefined, because its source
 * fails. The `aggregator` says how the values of several workers become one.
 */
function createGaugeAdder(registry: Registry) {
  return (
    name: string,
    help: string,
    aggregator: Aggregator,
    read: () => number | undefined | Promise<number | undefined>,
  ) =>
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      async collect() {
        const value = await read();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
}

function addProcessGauges(registry: Registry, { build, pageCache, pool }: MetricsSources): void {
  const add = createGaugeAdder(registry);
  new Gauge({
    name: 'linework_build_info',
    help: 'Always 1; the labels tell the versions of Linework and Node, and the last migration.',
    labelNames: ['version', 'node', 'migration'],
    aggregator: 'first',
    registers: [registry],
  }).set({ ...build, node: process.version }, 1);
  add('linework_page_cache_bytes', 'Memory of the page cache.', 'sum', () => pageCache.bytes);
  add('linework_page_cache_entries', 'Responses in the page cache.', 'sum', () => pageCache.size);
  add(
    'linework_page_cache_enabled',
    '0 while a process stores no pages, because it may miss invalidations.',
    'min',
    () => Number(pageCache.isEnabled),
  );
  if (pool) {
    new Gauge({
      name: 'linework_database_connections',
      help: 'Connections of the pool for requests, by state.',
      labelNames: ['state'],
      registers: [registry],
      collect() {
        const { inUse, idle } = pool();
        this.set({ state: 'in_use' }, inUse);
        this.set({ state: 'idle' }, idle);
      },
    });
    add(
      'linework_database_waiting',
      'Queries that wait for a connection of the pool.',
      'sum',
      () => pool().waiting,
    );
  }
}

/** Gauges that are the same for all processes, so that their values are not added up. */
function addSharedGauges(registry: Registry, sources: MetricsSources): void {
  const add = createGaugeAdder(registry);
  const limits = { maxAgeMs: MAX_AGE_MS, timeoutMs: READ_TIMEOUT_MS };
  const readQueues = createBoundedRead(sources.queues, limits);
  const readDisk = createBoundedRead(sources.disk, limits);
  const readBackup = createBoundedRead(sources.lastBackupAt, limits);
  const mails = async () => (await readQueues())?.value.mails;
  add(
    'linework_mails_queued',
    'Mails that are not sent yet; some wait for a time.',
    'max',
    async () => (await mails())?.queued,
  );
  add(
    'linework_mails_failed',
    'Mails that were given up and are still stored.',
    'max',
    async () => (await mails())?.failed,
  );
  add(
    'linework_mail_oldest_seconds',
    'How long ago the mail was due that is overdue longest.',
    'max',
    async () => (await mails())?.oldestSeconds,
  );
  new Gauge({
    name: 'linework_jobs',
    help: 'Jobs by queue and state; failed ones are stored for an hour.',
    labelNames: ['queue', 'state'],
    aggregator: 'max',
    registers: [registry],
    async collect() {
      const found = await readQueues();
      this.reset();
      for (const { queue, state, count } of found?.value.jobs ?? [])
        this.set({ queue, state }, count);
    },
  });
  add(
    'linework_disk_free_bytes',
    'Space that the server may still use where DATA_DIR is.',
    'min',
    async () => (await readDisk())?.value.freeBytes,
  );
  add(
    'linework_disk_total_bytes',
    'Size of the file system where DATA_DIR is.',
    'max',
    async () => (await readDisk())?.value.totalBytes,
  );
  add(
    'linework_last_backup_timestamp_seconds',
    'When the last backup was completed; absent without one.',
    'max',
    async () => {
      const completedAt = (await readBackup())?.value;
      return completedAt && completedAt / 1000;
    },
  );
  new Gauge({
    name: 'linework_collect_failed',
    help: '1 if a source of metrics failed or did not answer in time; its metrics are absent then.',
    labelNames: ['source'],
    aggregator: 'max',
    registers: [registry],
    async collect() {
      const reads = { database: readQueues, disk: readDisk, backup: readBackup };
      for (const [source, read] of Object.entries(reads))
        this.set({ source }, (await read()) === undefined ? 1 : 0);
    },
  });
}
