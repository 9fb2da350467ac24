import type { AskedData, DataRequest } from '#contract/data_request.ts';
import type { DataRequest as DatedRequest } from '#domain/data_request.ts';
import { toRfc3339 } from '#domain/time.ts';
import type { DataRequestRow } from '#server/database/data_requests.ts';

/** Converts for the client, without the id. */
export function toAskedData({ kind, askedAt, doneAt }: DatedRequest): AskedData {
  return {
    kind,
    asked_at: toRfc3339(askedAt),
    done_at: doneAt === null ? null : toRfc3339(doneAt),
  };
}

/** Converts for the artist. */
export function toDataRequest(row: DataRequestRow): DataRequest {
  return { id: row.id, ...toAskedData(row) };
}
