import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { type Database, openDatabase } from '#server/database/connect.ts';
import { siteDataDir } from './browser_server.ts';

/** Small, because the site and every test worker share one PostgreSQL. */
const CONNECTIONS = 2;

const openDatabases = new Map<string, Promise<Database>>();

/** The database of the tested site. */
export function siteDatabase(): Promise<Database> {
  const dataDir = siteDataDir();
  const database = openDatabases.get(dataDir) ?? openSiteDatabase(dataDir);
  openDatabases.set(dataDir, database);
  return database;
}

/** Runs SQL in the site's database, for states that would take days to occur. */
export async function runStatement(statement: string, values: readonly unknown[]): Promise<void> {
  await (await siteDatabase()).executeQuery(CompiledQuery.raw(statement, [...values]));
}

async function openSiteDatabase(dataDir: string): Promise<Database> {
  const home = join(dataDir, 'postgres');
  const [password, postmaster] = await Promise.all([
    readFile(join(home, 'password'), 'utf8'),
    readFile(join(home, 'cluster/postmaster.pid'), 'utf8'),
  ]);
  const port = postmaster.split('\n')[3];
  return openDatabase(
    `postgresql://postgres:${password.trim()}@127.0.0.1:${port}/linework`,
    CONNECTIONS,
  );
}
