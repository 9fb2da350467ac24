import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

const MIGRATIONS_FOLDER = new URL('./migrations/', import.meta.url);

/** An arbitrary key of a PostgreSQL advisory lock, the same in all our servers. */
const MIGRATION_LOCK = 7_261_001;

/**
 * Applies all new migrations in the order of their names, each in its own transaction. A lock makes
 * other servers wait, so that servers that start together do not apply a migration twice.
 * @returns the names of the migrations that this call applied
 * @throws Error when the file of a migration was changed after it was applied
 */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  // Without a listener, a lost connection would end the process, not only reject the query.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS migrations (
         name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
    );
    const { rows } = await client.query<{ name: string; sha256: string }>(
      'SELECT name, sha256 FROM migrations',
    );
    const appliedHashes = new Map(rows.map((row) => [row.name, row.sha256]));
    const newNames: string[] = [];
    for (const { name, sql, sha256 } of await readMigrations()) {
      const appliedHash = appliedHashes.get(name);
      if (appliedHash === sha256) continue;
      if (appliedHash !== undefined)
        throw new Error(`Migration ${name} was changed after it was applied to this database.`);
      await client.query('BEGIN');
      await client.query(sql);
      await client.query('INSERT INTO migrations (name, sha256) VALUES ($1, $2)', [name, sha256]);
      await client.query('COMMIT');
      newNames.push(name);
    }
    return newNames;
  } finally {
    // The end of the connection releases the lock, and rolls back a failed migration.
    await client.end();
  }
}

async function readMigrations() {
  const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, MIGRATIONS_FOLDER), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
