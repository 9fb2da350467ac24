import { sql } from 'kysely';
import { describeChanged, describeUnreleased } from '#server/database/database_versions.ts';
import { readMigrations } from '#server/database/migrate.ts';
import { error, type Found, ok, warning } from './finding.ts';
import { type DatabaseCheck, hasTable } from './parts.ts';

/** Compares the migrations of the database with those of this version. */
export const checkMigrations: DatabaseCheck = async ({ database, config }) => {
  const migrations = await readMigrations();
  const own = [...migrations.keys()];
  if (!(await hasTable(database, 'migrations')))
    return ok(`The database is empty; the first start applies ${own.length} migrations.`);
  const { rows } = await sql<{ name: string; sha256: string }>`
    SELECT name, sha256 FROM migrations ORDER BY name`.execute(database);
  const applied = rows.map(({ name }) => name);
  const refusal = describeUnreleased(applied, 'database');
  if (refusal !== undefined) return error(refusal, 'Or run the version that made it.');
  const unknown = applied.filter((name) => !own.includes(name));
  const pending = own.filter((name) => !applied.includes(name));
  const changed = rows.filter(
    ({ name, sha256 }) => sha256 !== (migrations.get(name)?.sha256 ?? sha256),
  );
  const findings: Found[] = changed.map(({ name }) =>
    error(
      describeChanged(name),
      'Compare the files of src/server/database/migrations with those of the release.',
    ),
  );
  if (unknown.length > 0 && config.allowsNewerDatabase)
    findings.push(
      warning(
        `A newer version has changed the database, as ALLOW_NEWER_DATABASE=1 allows; this one does not know ${unknown.join(', ')}.`,
        'Finish the upgrade, and remove ALLOW_NEWER_DATABASE.',
      ),
    );
  else if (unknown.length > 0)
    findings.push(
      error(
        `A newer version has changed the database; this one does not know ${unknown.join(', ')}.`,
        'Install the newer version again, or restore a backup from before.',
      ),
    );
  if (pending.length > 0)
    findings.push(
      warning(
        `Not applied yet: ${pending.join(', ')}.`,
        'Run `npm run migrate`, or start the server.',
      ),
    );
  return findings.length > 0 ? findings : ok(`All ${own.length} are applied.`);
};
