import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import {
  assertCanRun,
  canOlderServersRun,
  describeChanged,
  describeUnreleased,
  OtherVersion,
  type UnknownMigration,
} from './database_versions.ts';

const MIGRATIONS_FOLDER = new URL('./migrations/', import.meta.url);

/** The table of the applied migrations. */
export const MIGRATIONS_TABLE = `CREATE TABLE IF NOT EXISTS migrations (
  name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(),
  older_can_run boolean NOT NULL)`;

/** An arbitrary key of a PostgreSQL advisory lock, the same in all our servers. */
export const MIGRATION_LOCK = 7_261_001;

interface MigrateOptions {
  /** Whether a database that a newer version has migrated may be used, if its migrations allow it. */
  readonly allowsNewer?: boolean;
  readonly log?: Logger;
  /** The folder of the migrations; this version's unless set. */
  readonly folder?: URL;
}

interface AppliedMigration extends UnknownMigration {
  readonly sha256: string;
}

/**
 * Applies all new migrations in the order of their names, each in its own transaction. A lock makes
 * other servers wait, so that servers that start together do not apply a migration twice.
 * @returns the names of the migrations that this call applied
 * @throws OtherVersion when the database is from before 0.1, has migrations of a newer version and must not
 *   be used, or was migrated by a file that was changed since
 */
export async function migrate(
  url: string,
  { allowsNewer = false, log, folder = MIGRATIONS_FOLDER }: MigrateOptions = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  // Without a listener, a lost connection would end the process, not only reject the query.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const migrations = await readMigrations(folder);
    const applied = await readApplied(client);
    const unknown = [...applied.values()].filter(({ name }) => !migrations.has(name));
    assertCanRun(unknown, allowsNewer);
    if (unknown.length > 0)
      log?.warn(
        { component: 'Database', migrations: unknown.map(({ name }) => name) },
        'A newer version has migrated the database (used because of ALLOW_NEWER_DATABASE=1)',
      );
    const newNames: string[] = [];
    for (const [name, { sql, sha256, olderCanRun }] of migrations) {
      const appliedHash = applied.get(name)?.sha256;
      if (appliedHash === sha256) continue;
      if (appliedHash !== undefined) throw new OtherVersion(describeChanged(name));
      await client.query('BEGIN');
      // Only here, so that a database that is refused stays as it was.
      await client.query(MIGRATIONS_TABLE);
      await client.query(sql);
      await client.query(
        'INSERT INTO migrations (name, sha256, older_can_run) VALUES ($1, $2, $3)',
        [name, sha256, olderCanRun],
      );
      await client.query('COMMIT');
      newNames.push(name);
    }
    return newNames;
  } finally {
    // The end of the connection releases the lock, and rolls back a failed migration.
    await client.end();
  }
}

/**
 * Reads the applied migrations by name; none if the database has no table of them.
 * @throws OtherVersion when the database is from before 0.1
 */
async function readApplied(client: pg.Client): Promise<Map<string, AppliedMigration>> {
  if (!(await hasMigrationsTable(client))) return new Map();
  // `*`: before 0.1, the table had other columns.
  const { rows } = await client.query<AppliedMigration>('SELECT * FROM migrations ORDER BY name');
  const refusal = describeUnreleased(
    rows.map(({ name }) => name),
    'database',
  );
  if (refusal !== undefined) throw new OtherVersion(refusal);
  return new Map(rows.map((row) => [row.name, row]));
}

/** Lists the names of the migrations that a database has; none if it is empty. */
export async function listApplied(client: pg.Client): Promise<string[]> {
  if (!(await hasMigrationsTable(client))) return [];
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM migrations ORDER BY name',
  );
  return rows.map(({ name }) => name);
}

async function hasMigrationsTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT FROM pg_tables WHERE tablename = 'migrations' AND schemaname = current_schema()",
  );
  return rows.length > 0;
}

/** Reads all migrations that this version has, by name, in the order in which they are applied. */
export async function readMigrations(folder = MIGRATIONS_FOLDER) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const migrations = await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      const sha256 = createHash('sha256').update(sql).digest('hex');
      return [name, { sql, sha256, olderCanRun: canOlderServersRun(name, sql) }] as const;
    }),
  );
  return new Map(migrations);
}
