// Starts the bundled PostgreSQL and nothing else; tests kill this process.
// Usage: node bundled_postgres_holder.ts DATA_DIR
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import pino from 'pino';
import { startBundledPostgres } from '#server/database/bundled/bundled_postgres.ts';

const report = (event: Record<string, string>) => console.log(JSON.stringify(event));

try {
  const database = await startBundledPostgres({
    dataDir: process.argv[2] ?? '',
    log: pino({ enabled: false }),
  });
  process.once('SIGTERM', () => void database.stop());
  // Drains for a moment, as a server does, and reports whether the database still answered.
  process.once('SIGINT', async () => {
    await sleep(400);
    const client = new Client({ connectionString: database.url });
    const result = await client.connect().then(() => client.query('select 1'));
    report({ drained: String(result.rowCount) });
    await client.end();
    await database.stop();
  });
  report({ url: database.url });
} catch (error) {
  report({ refused: error instanceof Error ? error.name : '', message: String(error) });
}
