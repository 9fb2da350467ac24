/** Requests of clients to their artist for a copy or the erasure of their data. */
import { sql } from 'kysely';
import type { DataRequest } from '#domain/clients/data_request.ts';
import { epochMs } from './epoch_ms.ts';

/** A request as `dataRequestsOf` reads it. */
interface DataRequestRow extends DataRequest {
  readonly id: string;
}

/**
 * Selects a client's requests as JSON, the oldest first, for a column of another statement.
 * @param clientId such as `sql.ref('clients.id')`
 */
export function dataRequestsOf(clientId: ReturnType<typeof sql.ref>) {
  return sql<readonly DataRequestRow[]>`coalesce((
    SELECT json_agg(json_build_object('id', id, 'kind', kind, 'askedAt', ${epochMs(sql`asked_at`)},
      'doneAt', ${epochMs(sql`done_at`)}) ORDER BY asked_at, id)
    FROM data_requests WHERE data_requests.client_id = ${clientId}
  ), '[]')`;
}
