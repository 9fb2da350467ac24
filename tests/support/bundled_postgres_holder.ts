// A server that only holds its bundled PostgreSQL, to be killed by tests: node bundled-holder.ts DATA_DIR
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startBundledPostgres } from '#server/database/bundled/bundled_postgres.ts';

const report = (what: Record<string, string>) => console.log(JSON.stringify(what));

try {
  const database = await startBundledPostgres({
    dataDir: process.argv[2] ?? '',
    log: (line) => report({ log: line }),
  });
  process.once('SIGTERM', () => void database.stop());
  // Drains for a moment, as a server does, and says whether the database was still there to drain into.
  process.once('SIGINT', async () => {
    await sleep(400);
    const client = new Client({ connectionString: database.url });
    const answered = await client.connect().then(() => client.query('select 1'));
    report({ drained: String(answered.rowCount) });
    await client.end();
    await database.stop();
  });
  report({ url: database.url });
} catch (error) {
  report({ refused: error instanceof Error ? error.name : '', because: String(error) });
}
