import { sql } from 'kysely';
import { LISTENER_NAME } from '#server/database/connect.ts';
import type { Config } from '#server/settings/config.ts';
import { error, ok, warning } from './finding.ts';
import type { DatabaseCheck } from './parts.ts';

/** Checks that PostgreSQL allows as many connections as this server, and all that run now, may open. */
export const checkConnections: DatabaseCheck = async ({ database, config }) => {
  // The limits of PostgreSQL, of our user and of our database, and how many processes of ours listen.
  const { rows } = await sql<{
    available: number;
    role_limit: number;
    database_limit: number;
    processes: number;
  }>`
    SELECT current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) AS available,
      rolconnlimit AS role_limit, datconnlimit AS database_limit,
      (SELECT count(*)::int FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = ${LISTENER_NAME}) AS processes
    FROM pg_roles, pg_database
    WHERE rolname = current_user AND datname = current_database()`.execute(database);
  const [row] = rows;
  if (!row) return [];
  // PostgreSQL says -1 for a user or a database without a limit.
  const limits = [row.available, row.role_limit, row.database_limit].filter((limit) => limit >= 0);
  return [describeConnections(Math.min(...limits), config, row.processes)];
};

/**
 * @param available how many connections PostgreSQL allows to us
 * @param processes how many servers and workers of all machines use the database now
 */
export function describeConnections(
  available: number,
  { workers, databaseConnections: each }: Pick<Config, 'workers' | 'databaseConnections'>,
  processes: number,
) {
  const needed = workers * each;
  const settings = `WORKERS=${workers}, DATABASE_CONNECTIONS=${each}`;
  const need = `PostgreSQL allows ${available} connections, and this server opens up to ${needed}`;
  if (needed > available)
    return error(
      `${need} (${settings}).`,
      `Raise max_connections of PostgreSQL to ${needed + 10} or more, or lower WORKERS or DATABASE_CONNECTIONS.`,
    );
  const together = processes * each;
  return together > available
    ? warning(
        `PostgreSQL allows ${available} connections, and the ${processes} processes of our servers that run now may open up to ${together}.`,
        `Raise max_connections of PostgreSQL to ${together + 10} or more, run fewer servers and WORKERS, or lower DATABASE_CONNECTIONS.`,
      )
    : ok(`${need}: enough for ${Math.floor(available / needed)} servers like this.`);
}
