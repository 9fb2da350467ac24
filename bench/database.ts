import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** Runs statements on a connection of their own. */
async function withClient<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The rows of one statement. */
export function queryRows<Row extends object>(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withClient(databaseUrl, async (client) => (await client.query<Row>(text, values)).rows);
}

/**
 * Runs the statements of a file of this folder, one by one: VACUUM cannot run in a transaction with others.
 * @param numbers each replaces its name after a colon
 */
export async function runSqlFile(
  databaseUrl: string,
  file: string,
  numbers: Readonly<Record<string, number>>,
): Promise<void> {
  const sql = await readFile(join(import.meta.dirname, file), 'utf8');
  const filled = Object.entries(numbers).reduce(
    (text, [name, number]) => text.replaceAll(`:${name}`, String(number)),
    sql,
  );
  await withClient(databaseUrl, async (client) => {
    for (const statement of filled.split(';\n')) await client.query(statement);
  });
}
