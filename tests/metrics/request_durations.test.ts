import { Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { RequestDurations } from '#server/metrics/request_durations.ts';

test('the values are those of prom-client’s own histogram, in both formats', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const durations = new RequestDurations([ours]);
  const { name, help } = await durations.get();
  const histogram = new Histogram({
    name,
    help,
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [theirs],
  });
  const routes = ['/[username]', '/api/v1/services/', 'unknown'];
  // Below the first bound, at bounds, between them and beyond the last one.
  for (const seconds of [0, 0.0005, 0.001, 0.0011, 0.25, 9.99, 10, 10.5, 3600])
    for (const [nth, route] of routes.entries())
      for (const method of ['GET', 'POST'])
        for (const status of [200, 409].slice(nth % 2)) {
          durations.add(route, method, status, seconds);
          histogram.observe({ route, method, status: String(status) }, seconds);
        }
  const lines = async (registry: Registry) => (await registry.metrics()).split('\n').toSorted();
  expect(await lines(ours)).toEqual(await lines(theirs));
  const json = async (registry: Registry) =>
    (await registry.getMetricsAsJSON()).map(({ values, ...metric }) => ({
      ...metric,
      // prom-client adds exemplars, which we have not.
      values: values.map((value) => ({ ...value, exemplar: null })),
    }));
  expect(await json(ours)).toEqual(
    (await json(theirs)).map((metric) => ({
      ...metric,
      values: expect.arrayContaining(metric.values),
    })),
  );
});
