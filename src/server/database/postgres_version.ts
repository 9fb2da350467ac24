import { sql } from 'kysely';
import type { Database } from './connect.ts';
import { createDedicatedConnection } from './dedicated_connection.ts';

const MIN_VERSION = 15;

/** PostgreSQL is too old. */
export class UnsupportedPostgres extends Error {
  override readonly name = 'UnsupportedPostgres';
}

/**
 * Connects to PostgreSQL and reads its version, such as `18.1`.
 * @throws when it cannot be reached within the time, or is older than the oldest supported version
 */
export async function readPostgresVersion(url: string, timeoutMs: number): Promise<string> {
  await using connection = createDedicatedConnection(url, 'linework version', timeoutMs);
  const { client } = connection;
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  const [version = ''] = rows[0]?.server_version.split(' ') ?? [];
  if (Number.parseInt(version, 10) < MIN_VERSION)
    throw new UnsupportedPostgres(
      `it is PostgreSQL ${version}, and the oldest supported version is ${MIN_VERSION}`,
    );
  return version;
}

/** Reads the version of the PostgreSQL that is connected, such as `18.1`. */
export async function loadPostgresVersion(database: Database): Promise<string> {
  const { rows } = await sql<{ server_version: string }>`SHOW server_version`.execute(database);
  const [version = ''] = rows[0]?.server_version.split(' ') ?? [];
  return version;
}
