import { sql } from 'kysely';
import { CONNECTIONS_PER_SERVER } from '#server/database/connect.ts';
import { findingsOf } from './finding.ts';
import type { DatabaseCheck } from './parts.ts';

const { ok, error } = findingsOf('connections');

/** Checks that PostgreSQL allows as many connections as this server may open. */
export const checkConnections: DatabaseCheck = async ({ database, config }) => {
  const { rows } = await sql<{ available: number; role_limit: number; database_limit: number }>`
    SELECT current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) AS available,
      rolconnlimit AS role_limit, datconnlimit AS database_limit
    FROM pg_roles, pg_database
    WHERE rolname = current_user AND datname = current_database()`.execute(database);
  const [row] = rows;
  if (!row) return [];
  // A negative limit means none.
  const limits = [row.available, row.role_limit, row.database_limit].filter((limit) => limit >= 0);
  return [describeConnections(Math.min(...limits), config.workers)];
};

/** @param available how many connections PostgreSQL allows to us */
export function describeConnections(available: number, workers: number) {
  const needed = workers * CONNECTIONS_PER_SERVER;
  const need = `PostgreSQL allows ${available} connections, and this server opens up to ${needed}`;
  return needed > available
    ? error(
        `${need} (WORKERS=${workers}).`,
        `Raise max_connections of PostgreSQL to ${needed + 10} or more, or lower WORKERS.`,
      )
    : ok(`${need}: enough for ${Math.floor(available / needed)} servers like this.`);
}
