// `npm run bench:idle`: how many statements a second the processes of a server at rest send, and their connections.
// `-- --workers 8` measures eight processes, `-- <folder>` another checkout, built and with its packages.
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { stopAll } from './child_server.ts';
import { queryRows } from './database.ts';
import { openSandbox } from './sandbox.ts';

/** After a start, the pictures of the demo are encoded. */
const SETTLE_MS = 30_000;
const MEASURE_MS = 60_000;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAll);
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { workers: { type: 'string', default: '1' } },
});
const [folder] = positionals;
const workers = Number(values.workers);
await using place = await openSandbox(folder === undefined ? folder : resolve(folder));
await using _server = await place.serve({ WORKERS: String(workers) });
const databaseUrl = await place.databaseUrl();
await sleep(SETTLE_MS);
// PostgreSQL logs each statement after the name of the connection that has sent it.
for (const setting of ["log_statement = 'all'", "log_line_prefix = '#%a#'"])
  await queryRows(databaseUrl, `ALTER SYSTEM SET ${setting}`);
await queryRows(databaseUrl, 'SELECT pg_reload_conf()');
await sleep(2000);
const senders = await countStatements(join(place.environment['DATA_DIR'] ?? '', 'postgres.log'));
for (const [sender, count] of [...senders].sort((a, b) => b[1] - a[1]))
  console.log(`${perSecond(count)}  ${sender}`);
const total = [...senders.values()].reduce((sum, count) => sum + count, 0);
console.log(`${perSecond(total)}  statements a second of each of ${workers} processes`);
const connections = await queryRows<{ name: string; count: number }>(
  databaseUrl,
  `SELECT application_name AS name, count(*)::int FROM pg_stat_activity
   WHERE datname = current_database() AND pid <> pg_backend_pid() GROUP BY 1 ORDER BY 1`,
);
console.log(
  'Connections:',
  connections.map(({ name, count }) => `${name || 'pool'} ${count}`).join(', '),
);

/** How many statements were logged in a minute, by the name of their connection and their first line. */
async function countStatements(logFile: string): Promise<Map<string, number>> {
  const { size } = await stat(logFile);
  await sleep(MEASURE_MS);
  const text = (await readFile(logFile)).subarray(size).toString();
  const senders = new Map<string, number>();
  for (const [, name, line] of text.matchAll(/^#(.*?)#LOG: +(?:statement|execute .+?):\s*(.*)/gm)) {
    const sender = `${name || 'pool'}: ${line?.slice(0, 60)}`;
    senders.set(sender, (senders.get(sender) ?? 0) + 1);
  }
  return senders;
}

function perSecond(count: number): string {
  return (count / (MEASURE_MS / 1000) / workers).toFixed(2).padStart(6);
}
