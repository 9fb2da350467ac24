// Starts the bundled PostgreSQL and nothing else; tests kill this process.
// Usage: node bundled_postgres_holder.ts DATA_DIR
import pino from 'pino';
import { startBundledPostgres } from '#server/database/bundled/bundled_postgres.ts';

const report = (event: Record<string, string>) => console.log(JSON.stringify(event));

try {
  const database = await startBundledPostgres({
    dataDir: process.argv[2] ?? '',
    log: pino({ enabled: false }),
  });
  process.once('SIGTERM', () => void database.stop());
  report({ url: database.url });
} catch (error) {
  report({ refused: error instanceof Error ? error.name : '', message: String(error) });
}
