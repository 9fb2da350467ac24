import { resolve } from 'node:path';
import { sql } from 'kysely';
import { findBundledPostgres } from '#server/database/bundled/bundled_postgres.ts';
import { isFolder } from '#server/database/bundled/data_directory.ts';
import { type Database, openDatabase } from '#server/database/connect.ts';
import type { Config } from '#server/settings/config.ts';
import type { Variables } from '#server/settings/settings.ts';
import type { Found } from './finding.ts';

/** The parts of the server that the checks inspect. */
export interface DoctorParts {
  readonly config: Config;
  /** The environment from which `config` was read. */
  readonly variables: Variables;
  /** Absolute. The folder may be missing before the first start. */
  readonly dataDir: string;
  /** Undefined while the bundled database does not run. */
  readonly databaseUrl: string | undefined;
}

/** The parts for a check that needs a database that can be reached. */
export interface DatabaseParts extends DoctorParts {
  readonly database: Database;
  readonly databaseUrl: string;
}

/** One finding, or several. */
export type CheckResult = Found | readonly Found[];
export type Check = (parts: DoctorParts) => Promise<CheckResult>;
export type DatabaseCheck = (parts: DatabaseParts) => Promise<CheckResult>;

/** How long a check may take. */
export const CHECK_TIMEOUT_MS = 10_000;
/** How long an attempt to connect may take: it ends before its check. */
export const CONNECT_TIMEOUT_MS = 8000;

/** Finds the parts. Opens nothing and creates nothing. */
export async function findParts(config: Config, variables: Variables): Promise<DoctorParts> {
  const dataDir = resolve(config.dataDir);
  return { config, variables, dataDir, databaseUrl: await findDatabaseUrl(config, dataDir) };
}

async function findDatabaseUrl({ database }: Config, dataDir: string): Promise<string | undefined> {
  if (database.kind === 'url') return database.url;
  if (!(await isFolder(dataDir))) return undefined;
  return findBundledPostgres(dataDir).catch(() => undefined);
}

/** Opens a few connections of the doctor's own, as the server may have used up its own. */
export function openDoctorDatabase(url: string): Database {
  return openDatabase(url, 3, {
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    application_name: 'linework doctor',
  });
}

/** Whether a column exists: a later migration may create it. */
export async function hasColumn(database: Database, table: string, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (SELECT FROM pg_attribute
      WHERE attrelid = to_regclass(${table}) AND attname = ${name}) AS found`.execute(database);
  return rows[0]?.found === true;
}

/** Whether a table exists: before the first start, none does. */
export async function hasTable(database: Database, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    SELECT to_regclass(${name}) IS NOT NULL AS found`.execute(database);
  return rows[0]?.found === true;
}
