import { Histogram, type Registry } from 'prom-client';

/** Seconds: from a hit of the cache, below 1 ms, to a call that waits for a connection. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Other methods are one label: a client may send any that Node knows. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER_METHOD = 'other';

const NAME = 'linework_http_request_duration_seconds';
const HELP = 'Time from the head of a request to the end of its response, by route pattern.';

type Label = 'route' | 'method' | 'status';

/** The requests with the same labels. */
interface Series {
  readonly labels: Readonly<Record<Label, string>>;
  /** For each bucket those that belong to no smaller one; at the end those beyond the last bucket. */
  readonly counts: number[];
  sum: number;
}

/**
 * The histogram of the durations of requests. prom-client finds a series by a text that it builds of
 * the labels, each time: that was most of what the metrics cost a cached page. This one finds it by
 * three maps, and gives prom-client the same values when they are asked for.
 */
export class RequestDurations extends Histogram<Label> {
  readonly #series = new Map<string, Map<string, Map<number, Series>>>();

  constructor(registers: Registry[]) {
    super({ name: NAME, help: HELP, labelNames: ['route', 'method', 'status'], registers });
  }

  /** @param route the pattern of the route, never a path */
  add(route: string, method: string, status: number, seconds: number): void {
    const label = METHODS.has(method) ? method : OTHER_METHOD;
    const ofRoute = getOrAdd(this.#series, route, () => new Map());
    const ofMethod = getOrAdd(ofRoute, label, () => new Map());
    const series = getOrAdd(ofMethod, status, () => ({
      labels: { route, method: label, status: String(status) },
      counts: new Array<number>(BUCKETS.length + 1).fill(0),
      sum: 0,
    }));
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
  }

  /** Overrides what prom-client reads for its text format, and for `get`. It is not in its types. */
  async getForPromString() {
    const values = [...this.#series.values()]
      .flatMap((ofRoute) => [...ofRoute.values()])
      .flatMap((ofMethod) => [...ofMethod.values()])
      .flatMap(toValues);
    return { name: NAME, help: HELP, type: 'histogram', aggregator: 'sum', values };
  }
}

/** The values of a histogram in prom-client's form: a bucket counts the smaller ones too. */
function toValues({ labels: sharedLabels, counts, sum }: Series) {
  let count = 0;
  const buckets = counts.map((own, bucket) => {
    count += own;
    const labels = { le: BUCKETS[bucket] ?? '+Inf' };
    return { labels, sharedLabels, value: count, metricName: `${NAME}_bucket` };
  });
  return [
    ...buckets,
    { labels: {}, sharedLabels, value: sum, metricName: `${NAME}_sum` },
    { labels: {}, sharedLabels, value: count, metricName: `${NAME}_count` },
  ];
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create();
  map.set(key, created);
  return created;
}
