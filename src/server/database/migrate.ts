import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

const FOLDER = new URL('./migrations/', import.meta.url);

/** Any constant will do, as long as every server of ours asks for the same. */
const MIGRATION_LOCK = 7_261_001;

/**
 * Brings the database up to the newest migration, one transaction each, under a lock so that
 * servers that start together do it once. Files are immutable once landed.
 * @returns the names of those applied now
 * @throws Error when an applied file has changed since
 */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  // A connection that breaks also fails the query at hand; unheard, it would end us.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      `CREATE TABLE IF NOT EXISTS migrations (
         name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
    );
    const known = await client.query<{ name: string; sha256: string }>(
      'SELECT name, sha256 FROM migrations',
    );
    const applied: string[] = [];
    for (const { name, sql, sha256 } of await readMigrations()) {
      const earlier = known.rows.find((row) => row.name === name);
      if (earlier && earlier.sha256 !== sha256)
        throw new Error(`Migration ${name} was changed after it was applied to this database.`);
      if (earlier) continue;
      await client.query('BEGIN');
      await client.query(sql);
      await client.query('INSERT INTO migrations (name, sha256) VALUES ($1, $2)', [name, sha256]);
      await client.query('COMMIT');
      applied.push(name);
    }
    return applied;
  } finally {
    await client.end();
  }
}

async function readMigrations() {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, FOLDER), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
