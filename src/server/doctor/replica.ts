import { describePostgresError } from '#server/database/postgres_failure.ts';
import { testReplica } from '#server/database/replica.ts';
import { ok, warning } from './finding.ts';
import { CONNECT_TIMEOUT_MS, type DatabaseCheck } from './parts.ts';

/** Checks that DATABASE_READ_URL names a replica of DATABASE_URL. */
export const checkReplica: DatabaseCheck = async ({ database, config }) => {
  const { replicaUrl } = config;
  if (replicaUrl === undefined) return [];
  try {
    await testReplica(database, replicaUrl, CONNECT_TIMEOUT_MS);
    return ok('It follows the database.');
  } catch (reason) {
    const failure = describePostgresError(reason, replicaUrl, 'DATABASE_READ_URL');
    return warning(
      `All reads use DATABASE_URL, because DATABASE_READ_URL cannot be used: ${failure.reason}.`,
      failure.advice,
    );
  }
};
