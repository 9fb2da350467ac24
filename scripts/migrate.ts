// `npm run migrate`: brings the database of DATABASE_URL up to date; the server does so at start.
import { errorCode } from '#server/database/error_code.ts';
import { migrate } from '#server/database/migrate.ts';

const url = process.env['DATABASE_URL'];
if (!url) {
  console.error('DATABASE_URL is not set. The bundled database is migrated at every start.');
  process.exit(1);
}
try {
  const applied = await migrate(url, {
    allowsNewer: process.env['ALLOW_NEWER_DATABASE'] === '1',
    log: console.log,
  });
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Nothing to apply.');
} catch (error) {
  const why = (error instanceof Error && error.message) || errorCode(error);
  console.error(`The database of DATABASE_URL was not migrated: ${why}`);
  process.exit(1);
}
