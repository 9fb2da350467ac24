import { sql } from 'kysely';
import { error, ok } from './finding.ts';
import type { DatabaseCheck } from './parts.ts';

/** Checks that btree_gist exists in the database, or that this user may create it. */
export const checkExtension: DatabaseCheck = async ({ database }) => {
  const { rows } = await sql<{ is_installed: boolean; may_create: boolean }>`
    SELECT installed IS NOT NULL AS is_installed,
      superuser IS NOT TRUE OR rolsuper
        OR (trusted AND has_database_privilege(current_database(), 'CREATE')) AS may_create
    FROM (
      SELECT (SELECT extname FROM pg_extension WHERE extname = 'btree_gist') AS installed,
        bool_or(superuser) AS superuser, bool_or(trusted) AS trusted
      FROM pg_available_extension_versions WHERE name = 'btree_gist' HAVING count(*) > 0
    ) AS extension, pg_roles WHERE rolname = current_user`.execute(database);
  const [row] = rows;
  // PostgreSQL lists no version of the extension.
  if (!row)
    return error(
      'The extension btree_gist is not installed on the machine of PostgreSQL.',
      'Install the extensions that come with PostgreSQL (package postgresql-contrib).',
    );
  if (row.is_installed) return ok('btree_gist exists.');
  if (row.may_create) return ok('btree_gist is available; the first start creates it.');
  return error(
    'btree_gist is missing, and this user may not create it.',
    'Run CREATE EXTENSION btree_gist in this database once, as a superuser.',
  );
};
