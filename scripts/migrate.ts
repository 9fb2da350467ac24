// `npm run migrate`: brings the database of DATABASE_URL up to date, as the server also does when it starts.
import { OtherVersion } from '#server/database/database_versions.ts';
import { migrate } from '#server/database/migrate.ts';
import { describePostgresError } from '#server/database/postgres_failure.ts';
import { createLog } from '#server/log/log.ts';
import { ConfigError } from '#server/settings/config.ts';
import { readSecretFiles } from '#server/settings/secret_files.ts';
import { runCommand } from './run_command.ts';

await runCommand(async () => {
  const { values, fileErrors } = readSecretFiles(process.env);
  const fileError = fileErrors.get('DATABASE_URL');
  if (fileError !== undefined) throw new ConfigError(fileError);
  const url = values['DATABASE_URL'];
  if (url === undefined)
    throw new ConfigError(
      'DATABASE_URL is not set. The bundled database is migrated at every start.',
    );
  if (!URL.canParse(url))
    throw new ConfigError('DATABASE_URL must be like postgres://user:password@host:5432/name');
  try {
    const applied = await migrate(url, {
      allowsNewer: process.env['ALLOW_NEWER_DATABASE'] === '1',
      log: createLog({ format: 'text', level: 'info' }),
    });
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Nothing to apply.');
  } catch (error) {
    // A bug of ours.
    if (error instanceof TypeError) throw error;
    if (error instanceof OtherVersion) throw new ConfigError(error.message, { cause: error });
    const { reason, advice } = describePostgresError(error, url);
    throw new ConfigError(`The database of DATABASE_URL was not migrated: ${reason}. ${advice}`, {
      cause: error,
    });
  }
});
