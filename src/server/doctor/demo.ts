import { sql } from 'kysely';
import { DEMO_PASSWORD_HASH } from '#demo/demo_artists.ts';
import { isLoopback } from '#server/http/ip_address.ts';
import { listSome, ok, warning } from './finding.ts';
import { type DatabaseCheck, hasTable } from './parts.ts';

/** Warns of demo artists that others can reach, and of a `DEMO=1` without effect. */
export const checkDemo: DatabaseCheck = async ({ database, config, variables }) => {
  if (!(await hasTable(database, 'artists'))) return [];
  const demoArtists = await database
    .selectFrom('artists')
    .select('email')
    .where('password_hash', '=', DEMO_PASSWORD_HASH)
    .orderBy('email')
    .execute();
  const isPublic = ![config.host, new URL(config.siteUrl).hostname].every(isLoopback);
  if (demoArtists.length > 0 && isPublic)
    return warning(
      `Everyone can log in as ${listSome(demoArtists.map(({ email }) => email))}: their password is known.`,
      'Delete these accounts, or give them new passwords.',
    );
  const anyone = await database
    .selectFrom('artists')
    .select('id')
    .limit(sql.lit(1))
    .executeTakeFirst();
  if (variables['DEMO'] === '1' && demoArtists.length === 0 && anyone !== undefined)
    return warning('DEMO=1 does nothing: the database has artists already.', 'Remove DEMO.');
  return ok('No demo account is open to others.');
};
