import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describePostgresError } from '#server/database/postgres_failure.ts';
import { error, ok } from './finding.ts';
import type { DatabaseCheck, DatabaseParts } from './parts.ts';

/** Creates and fills a table in a transaction that is rolled back, and checks who owns ours. */
export const checkWrites: DatabaseCheck = async (parts) => {
  try {
    await tryWrite(parts);
  } catch (reason) {
    const failure = describePostgresError(reason, parts.databaseUrl);
    return error(`The database takes no writes: ${failure.reason}.`, failure.advice);
  }
  const { rows } = await sql<{ owner: string; tables: number; user: string }>`
    SELECT tableowner AS owner, count(*)::int AS tables, current_user AS "user" FROM pg_tables
    WHERE schemaname IN (current_schema(), 'pgboss')
      AND NOT pg_has_role(current_user, tableowner, 'USAGE')
    GROUP BY tableowner`.execute(parts.database);
  // The owner of tables whose role this user does not have.
  const [foreign] = rows;
  if (foreign)
    return error(
      `${foreign.tables} tables belong to ${foreign.owner}, and ${foreign.user} cannot change them.`,
      `Run REASSIGN OWNED BY ${foreign.owner} TO ${foreign.user}, or name ${foreign.owner} in DATABASE_URL.`,
    );
  return ok('A write was accepted, and undone.');
};

async function tryWrite({ database }: DatabaseParts): Promise<void> {
  // Two doctors at the same time must not wait for each other.
  const table = sql.table(`doctor_probe_${randomBytes(8).toString('hex')}`);
  const transaction = await database.startTransaction().execute();
  try {
    await sql`CREATE TABLE ${table} (value integer)`.execute(transaction);
    await sql`INSERT INTO ${table} VALUES (1)`.execute(transaction);
  } finally {
    await transaction.rollback().execute();
  }
}
