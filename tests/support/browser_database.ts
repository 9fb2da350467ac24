import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { type Database, openDatabase } from '#server/database/connect.ts';
import { siteDataDir } from './browser_server.ts';

/** Few: the site's own connections and those of every worker share one PostgreSQL. */
const CONNECTIONS = 2;

const openDatabases = new Map<string, Promise<Database>>();

/** The database of the site that tests run on. */
export function siteDatabase(): Promise<Database> {
  const dataDir = siteDataDir();
  const known = openDatabases.get(dataDir) ?? openSiteDatabase(dataDir);
  openDatabases.set(dataDir, known);
  return known;
}

/** Changes something in the site's database that takes days to come by itself. */
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
