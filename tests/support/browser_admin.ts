import { randomUUID } from 'node:crypto';
import { newSiteArtist } from './browser_api.ts';
import { runStatement } from './browser_database.ts';
import type { TestArtist } from './new_artist.ts';

/** Creates a superuser of the tested site. */
export async function newSiteSuperuser(): Promise<TestArtist> {
  const superuser = await newSiteArtist();
  await runStatement('UPDATE artists SET is_superuser = true WHERE id = $1', [superuser.self.id]);
  return superuser;
}

const ERROR_STACK = `at Client.query (/linework/node_modules/pg/lib/client.js:526:17)
at process.processTicksAndRejections (node:internal/process/task_queues:104:5)
at run (file:///linework/src/server/database/prepared_statements.ts:46:39)`;

/** Adds an error of a call; returns the id of its request. */
export async function addServerError(): Promise<string> {
  const requestId = randomUUID();
  await runStatement(
    `INSERT INTO server_errors (request_id, route, status, name, code, message, stack)
    VALUES ($1, 'GET /api/v1/services/:service_id', 500, 'error', '42P01',
      'relation "clients" does not exist', $2)`,
    [requestId, ERROR_STACK],
  );
  return requestId;
}
