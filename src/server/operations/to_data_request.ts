import type { AskedData } from '#contract/data_request.ts';
import type { DataRequest } from '#domain/data_request.ts';
import { toRfc3339 } from '#domain/time.ts';

/** Converts for the client, without the id. */
export function toAskedData({ kind, askedAt, doneAt }: DataRequest): AskedData {
  return {
    kind,
    asked_at: toRfc3339(askedAt),
    done_at: doneAt === null ? null : toRfc3339(doneAt),
  };
}
