import { expect, test } from 'vitest';
import {
  createPrometheusMetrics,
  type MetricsSources,
} from '#server/metrics/prometheus_metrics.ts';

const SOURCES: MetricsSources = {
  build: { version: '1.2.3', migration: '0001_schema.sql' },
  pageCache: { bytes: 2048, size: 2, isEnabled: true },
  pool: () => ({ inUse: 3, idle: 1, waiting: 4 }),
  queues: async () => ({
    mails: { queued: 5, failed: 6, oldestSeconds: 7.5 },
    jobs: [{ queue: 'mail', state: 'retry', count: 8 }],
  }),
  disk: async () => ({ freeBytes: 10, totalBytes: 100 }),
  lastBackupAt: async () => undefined,
};
const HANGING = () => new Promise<never>(() => {});

const REQUEST = { route: '/[username]', method: 'GET', status: 200, cache: undefined } as const;

test('requests are counted by route, method and status, with their seconds', async () => {
  const metrics = createPrometheusMetrics(SOURCES);
  metrics.observeRequest({ ...REQUEST, seconds: 0.0004 });
  metrics.observeRequest({ ...REQUEST, seconds: 3 });
  metrics.observeRequest({ ...REQUEST, method: 'POST', status: 503, seconds: 1 });
  const text = await metrics.format();
  const labels = 'route="/[username]",method="GET",status="200"';
  const name = 'linework_http_request_duration_seconds';
  expect(text).toContain(`${name}_bucket{le="0.001",${labels}} 1`);
  expect(text).toContain(`${name}_bucket{le="2.5",${labels}} 1`);
  expect(text).toContain(`${name}_bucket{le="5",${labels}} 2`);
  expect(text).toContain(`${name}_count{${labels}} 2`);
  expect(text).toContain(`${name}_count{route="/[username]",method="POST",status="503"} 1`);
});

test('methods that no route has share one label, so that clients cannot create series', async () => {
  const metrics = createPrometheusMetrics(SOURCES);
  for (const method of ['PROPFIND', 'LOCK'])
    metrics.observeRequest({ ...REQUEST, method, seconds: 1 });
  const text = await metrics.format();
  expect(text).toContain('_count{route="/[username]",method="other",status="200"} 2');
  expect(text).not.toContain('PROPFIND');
});

test('refusals, bookings, mails and what the page cache did are counted', async () => {
  const metrics = createPrometheusMetrics(SOURCES);
  metrics.countRefusal('time_taken');
  metrics.countBooking('held');
  metrics.countBooking('refused', 'time_taken');
  metrics.countMail('booked', 'retried');
  metrics.observeRequest({ ...REQUEST, seconds: 1, cache: 'stale' });
  const text = await metrics.format();
  for (const line of [
    'linework_refusals_total{reason="time_taken"} 1',
    'linework_bookings_total{outcome="held",reason=""} 1',
    'linework_bookings_total{outcome="confirmed",reason=""} 0',
    'linework_bookings_total{outcome="refused",reason="time_taken"} 1',
    'linework_mails_total{kind="booked",outcome="retried"} 1',
    'linework_mails_total{kind="booked",outcome="sent"} 0',
    'linework_page_cache_responses_total{outcome="stale"} 1',
    'linework_page_cache_responses_total{outcome="hit"} 0',
  ])
    expect(text).toContain(`${line}\n`);
});

test('gauges tell the page cache, the pool, the queues, the disk and the versions', async () => {
  const text = await createPrometheusMetrics(SOURCES).format();
  for (const line of [
    'linework_page_cache_bytes 2048',
    'linework_page_cache_entries 2',
    'linework_page_cache_enabled 1',
    'linework_database_connections{state="in_use"} 3',
    'linework_database_waiting 4',
    'linework_mails_queued 5',
    'linework_mails_failed 6',
    'linework_mail_oldest_seconds 7.5',
    'linework_jobs{queue="mail",state="retry"} 8',
    'linework_disk_free_bytes 10',
    'linework_collect_failed{source="database"} 0',
    `linework_build_info{version="1.2.3",migration="0001_schema.sql",node="${process.version}"} 1`,
  ])
    expect(text).toContain(`${line}\n`);
});

test('while the database hangs, its gauges are absent, and all others are reported', async () => {
  const text = await createPrometheusMetrics({ ...SOURCES, queues: HANGING }).format();
  for (const name of ['mails_queued', 'mails_failed', 'mail_oldest_seconds', 'jobs'])
    expect(text).not.toMatch(new RegExp(`^linework_${name}[ {]`, 'm'));
  expect(text).toContain('linework_collect_failed{source="database"} 1\n');
  expect(text).toContain('linework_collect_failed{source="disk"} 0\n');
  expect(text).toContain('linework_disk_free_bytes 10\n');
});

test('the time of the last backup is absent without one', async () => {
  const read = (lastBackupAt: MetricsSources['lastBackupAt']) =>
    createPrometheusMetrics({ ...SOURCES, lastBackupAt }).format();
  const name = 'linework_last_backup_timestamp_seconds';
  expect(await read(async () => 1_700_000_000_000)).toContain(`${name} 1700000000\n`);
  expect(await read(async () => undefined)).not.toMatch(new RegExp(`^${name} `, 'm'));
});
