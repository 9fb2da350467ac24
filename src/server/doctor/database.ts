import { describePostgresError } from '#server/database/postgres_failure.ts';
import { readPostgresVersion } from '#server/database/postgres_version.ts';
import { error, ok, warning } from './finding.ts';
import { type Check, CONNECT_TIMEOUT_MS } from './parts.ts';

/** Checks that PostgreSQL answers, and is no older than the oldest supported version. */
export const checkDatabase: Check = async ({ databaseUrl, config }) => {
  if (databaseUrl === undefined)
    return warning(
      'The bundled database does not run, so nothing in it was checked.',
      'Start the server, and run the doctor again.',
    );
  const name =
    config.database.kind === 'url' ? 'the database of DATABASE_URL' : 'the bundled database';
  try {
    const version = await readPostgresVersion(databaseUrl, CONNECT_TIMEOUT_MS);
    return ok(`PostgreSQL ${version} answers (${name}).`);
  } catch (reason) {
    const failure = describePostgresError(reason, databaseUrl);
    return error(`It cannot be used, ${name}: ${failure.reason}.`, failure.advice);
  }
};
