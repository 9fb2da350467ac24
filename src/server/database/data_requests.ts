/** What clients ask of their artist about their data. */
import { sql } from 'kysely';
import type { DataRequest } from '#domain/data_request.ts';

/** A request as `dataRequestsOf` reads it. */
export interface DataRequestRow extends DataRequest {
  readonly id: string;
}

/**
 * Selects a client's requests as JSON, the oldest first, for a column of another statement.
 * @param clientId such as `sql.ref('clients.id')`
 */
export function dataRequestsOf(clientId: ReturnType<typeof sql.ref>) {
  // Instants are milliseconds since 1970; `epoch` is seconds.
  return sql<readonly DataRequestRow[]>`coalesce((
    SELECT json_agg(json_build_object('id', id, 'kind', kind,
      'askedAt', (extract(epoch FROM asked_at) * 1000)::bigint,
      'doneAt', (extract(epoch FROM done_at) * 1000)::bigint) ORDER BY asked_at, id)
    FROM data_requests WHERE data_requests.client_id = ${clientId}
  ), '[]')`;
}
