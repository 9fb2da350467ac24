/**
 * Adds up the metrics of workers in their primary process, which serves them. prom-client's own
 * `AggregatorRegistry` adds, but does not ask the workers: it fails while a worker starts or hangs, and its
 * counters fall when a worker ends, which Prometheus takes for a restart of the whole program.
 */
import cluster, { type Worker as ClusterWorker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import * as z from 'zod/mini';
import { createProcessRegistry, READ_TIMEOUT_MS, toJson } from './prometheus_metrics.ts';

/** A worker needs up to `READ_TIMEOUT_MS` to find out that its database hangs. */
const ANSWER_TIMEOUT_MS = READ_TIMEOUT_MS + 500;

const MetricsJson = z.array(z.looseObject({ name: z.string(), type: z.string() }));
type MetricsJson = z.output<typeof MetricsJson>;
/** From the primary to a worker. */
const MetricsRequest = z.object({ metricsRequest: z.literal(true) });
/** From a worker to the primary: at its start, as an answer, and at its end. */
const MetricsAnswer = z.object({ metrics: MetricsJson });

/** The types that count over the life of a process. Metrics of other types show its present state. */
const COUNTING_TYPES = new Set(['counter', 'histogram']);

/**
 * Sends the metrics of this worker to the primary process, now and whenever it asks.
 * @param resources receives the function that sends them for the last time
 */
export async function sendMetricsToPrimary(
  readMetrics: () => Promise<object[]>,
  resources: AsyncDisposableStack,
): Promise<void> {
  const send = async () => {
    const metrics = await readMetrics();
    await new Promise<void>((resolve) => {
      // Fails if the primary is gone, which ends this process.
      if (process.send && process.connected) process.send({ metrics }, () => resolve());
      else resolve();
    });
  };
  const onMessage = (message: unknown) => {
    if (MetricsRequest.safeParse(message).success) void send();
  };
  process.on('message', onMessage);
  resources.defer(async () => {
    process.off('message', onMessage);
    await send();
  });
  await send();
}

interface WorkerEntry {
  metrics: MetricsJson;
  /** Resolves the answer that the primary waits for. */
  onAnswer: () => void;
}

/**
 * Collects the metrics of all workers, in the primary process. Counters of ended workers stay in the
 * sum, so it never falls; only the counts of a killed worker after the last scrape are lost.
 * @returns a function that formats all metrics in Prometheus' text format
 */
export function collectFromWorkers(): () => Promise<string> {
  const primary = createProcessRegistry();
  const workers = new Map<ClusterWorker, WorkerEntry>();
  /** The counters of workers that have ended. */
  let ended: Promise<MetricsJson> = Promise.resolve([]);

  cluster.on('message', (worker, message: unknown) => {
    const answer = MetricsAnswer.safeParse(message);
    if (!answer.success) return;
    const entry = workers.get(worker) ?? addWorker(worker);
    entry.metrics = answer.data.metrics;
    entry.onAnswer();
  });

  function addWorker(worker: ClusterWorker): WorkerEntry {
    const entry: WorkerEntry = { metrics: [], onAnswer: () => {} };
    workers.set(worker, entry);
    // Not at `exit`: the last messages may come after it. `disconnect` is left out for a worker that was
    // killed while it was handed a connection.
    worker.process.once('close', () => {
      workers.delete(worker);
      entry.onAnswer();
      const counted = entry.metrics.filter(({ type }) => COUNTING_TYPES.has(type));
      // Added one after the other, so that no worker's counters get lost.
      ended = ended.then((earlier) => addUp([earlier, counted]));
    });
    return entry;
  }

  const format = async () => {
    await Promise.all([...workers].map(([worker, entry]) => askWorker(worker, entry)));
    const living = [...workers.values()].map(({ metrics }) => metrics);
    const all = [...living, await ended, await toJson(primary)];
    return AggregatorRegistry.aggregate(all).metrics();
  };
  let running: Promise<string> | undefined;
  // Scrapes at the same time share one answer.
  return () => (running ??= format().finally(() => (running = undefined)));
}

async function addUp(metrics: readonly MetricsJson[]): Promise<MetricsJson> {
  const sum = AggregatorRegistry.aggregate([...metrics]);
  return MetricsJson.parse(await sum.getMetricsAsJSON());
}

/** Resolves when the worker has answered or ended. A worker that hangs keeps its last metrics. */
async function askWorker(worker: ClusterWorker, entry: WorkerEntry): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  entry.onAnswer = resolve;
  const timer = setTimeout(resolve, ANSWER_TIMEOUT_MS);
  // Fails if the worker has just ended.
  if (worker.isConnected()) worker.send({ metricsRequest: true }, (error) => error && resolve());
  else resolve();
  await promise;
  clearTimeout(timer);
}
