import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { siteDataDir } from './browser_server.ts';

/** Changes something in the site's database that takes days to come by itself. */
export async function changeRows(statement: string, values: readonly unknown[]): Promise<void> {
  const home = join(siteDataDir(), 'postgres');
  const [password, postmaster] = await Promise.all([
    readFile(join(home, 'password'), 'utf8'),
    readFile(join(home, 'cluster/postmaster.pid'), 'utf8'),
  ]);
  const client = new pg.Client({
    host: '127.0.0.1',
    port: Number(postmaster.split('\n')[3]),
    user: 'postgres',
    password: password.trim(),
    database: 'linework',
  });
  await client.connect();
  try {
    await client.query(statement, [...values]);
  } finally {
    await client.end();
  }
}
