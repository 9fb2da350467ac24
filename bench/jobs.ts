import pino from 'pino';
import { openContext } from '#server/context.ts';
import type { Context } from '#server/operations/context.ts';
import { recurringTasks } from '#server/operations/tasks/recurring_tasks.ts';
import { readConfig } from '#server/settings/config.ts';
import type { Benchmark } from './benchmark.ts';
import { queryRows, runSqlFile } from './database.ts';
import { openSandbox } from './sandbox.ts';

const APPOINTMENTS_PER_ARTIST = 100;
const MAX_SECONDS = 60;
/** Tasks that took less are not listed. */
const LISTED_SECONDS = 0.5;

export const jobs: Benchmark = {
  name: 'jobs',
  title: 'the slowest task of a minute or a night, with 10,000 artists and 1,000,000 appointments',
  baseline: 'a minute',
  target: { atMost: 1 },
  method:
    'Each task alone, twice: first with a backlog as after a long outage, then with the rest that the first run left. Each artist has expired holds and due reminders, all times ahead have no agreed clock time, a tenth of the details and more than a third of the networks are too old.',
  async measure(scale) {
    const artists = scale === 'full' ? 10_000 : 200;
    await using place = await openSandbox();
    await using _server = await place.serve();
    const databaseUrl = await place.databaseUrl();
    // The server must not run the tasks.
    await queryRows(databaseUrl, 'DELETE FROM pgboss.schedule');
    const numbers = { artists, each: APPOINTMENTS_PER_ARTIST };
    await runSqlFile(databaseUrl, 'many_artists.sql', numbers);
    await runSqlFile(databaseUrl, 'jobs.sql', numbers);

    const settings = { ...place.environment, DATABASE_URL: databaseUrl };
    const config = readConfig({ ...settings, SECRET_KEY: 'secret of a benchmark' });
    await using resources = new AsyncDisposableStack();
    const overrides = { log: pino({ level: 'error' }), servesPages: false };
    const { context } = await openContext(config, overrides, resources);
    const runs = [await timeTasks(context), await timeTasks(context)];
    const slowest = Math.max(...runs.flatMap((run) => [...run.values()]));
    return {
      ratio: slowest / MAX_SECONDS,
      ours: `${slowest.toFixed(1)} s`,
      baseline: `${MAX_SECONDS} s`,
      notes: runs.map((run, index) => `Run ${index + 1}: ${formatRun(run)}.`),
    };
  },
};

/** The seconds that each task took, by its name. */
async function timeTasks(context: Context): Promise<Map<string, number>> {
  const seconds = new Map<string, number>();
  const { minute, day } = recurringTasks(context, Date.now());
  for (const [name, work] of Object.entries({ ...minute, ...day })) {
    const start = performance.now();
    await work();
    seconds.set(name, (performance.now() - start) / 1000);
  }
  return seconds;
}

function formatRun(run: ReadonlyMap<string, number>): string {
  const listed = [...run].filter(([, seconds]) => seconds >= LISTED_SECONDS);
  const rest = run.size - listed.length;
  return [
    ...listed.map(([name, seconds]) => `${name} ${seconds.toFixed(1)} s`),
    `${rest} others less than ${LISTED_SECONDS} s`,
  ].join(', ');
}
