/** Copies of all data of an artist: they start one, a job makes it, and they download it for a day. */
import type { ListPage } from '#contract/common.ts';
import type { Download } from '#contract/endpoint.ts';
import type { Export } from '#contract/export.ts';
import { RateLimited, refuse, requireFound } from '#domain/refusal.ts';
import { DAY_MS, HOUR_MS, type Instant, toRfc3339 } from '#domain/time.ts';
import * as exportRows from '#server/database/exports.ts';
import type { Limit } from '#server/database/rate_limits.ts';
import { insertSessionEvent } from '#server/database/security_events.ts';
import type { Context } from './context.ts';
import { isExportLink, signExportLink } from './mail_tokens.ts';
import type { TokenOwner } from './sessions.ts';

/** How many the studio lists. */
const MAX_LISTED = 5;
const DAILY_EXPORTS: Limit = { name: 'exports', points: 5, seconds: DAY_MS / 1000 };
/** How long one that failed stays in the list. */
const FAILURE_RETENTION_MS = 7 * DAY_MS;
/** Longer than any run of the job: until then, a run may still write a file that nobody needs. */
const LONGEST_RUN_MS = 2 * HOUR_MS;
/** Bounds the time that other minutely tasks may have to wait. */
const MAX_FILES_PER_CALL = 100;

/**
 * Starts an export, or finds the one that is not finished yet.
 * @throws RateLimited when the artist has started too many today
 */
export async function startExport(context: Context, owner: TokenOwner): Promise<Export> {
  const { database, jobs } = context;
  const unfinished = await exportRows.findUnfinishedExport(database, owner.id);
  if (unfinished) return toExport(context, unfinished);
  const counted = await context.countEvent(DAILY_EXPORTS, owner.id);
  if (!counted.isAllowed) throw new RateLimited(counted.retryAfterSeconds);
  const row = await database.transaction().execute(async (transaction) => {
    const id = await exportRows.insertExport(transaction, owner.id);
    if (id !== undefined) {
      const { id: artistId, sessionId } = owner;
      await insertSessionEvent(transaction, { artistId, kind: 'export_started', sessionId });
      await jobs.enqueue(transaction, [{ kind: 'export', exportId: id }]);
    }
    return exportRows.findUnfinishedExport(transaction, owner.id);
  });
  // A concurrent call has started one, and it is finished already.
  if (!row) throw refuse('busy');
  return toExport(context, row);
}

/** Lists the artist's last exports, the newest first. */
export async function listExports(
  context: Context,
  artistId: string,
  now: Instant,
): Promise<ListPage<Export>> {
  const listed = await exportRows.listExports(context.database, artistId, now, MAX_LISTED);
  return { data: listed.map((row) => toExport(context, row)), count: listed.length };
}

/**
 * Deletes an export with its file. A job that is making it stops soon.
 * @throws Refusal `not_found`
 */
export async function deleteExport(context: Context, artistId: string, id: string): Promise<void> {
  const fileId = await exportRows.deleteExport(context.database, artistId, id);
  if (fileId === undefined) throw refuse('not_found');
  if (fileId === null) return;
  // The minutely tasks try again. They also delete what a job that still runs writes.
  await context.exportFiles
    .remove(fileId)
    .catch((error: unknown) =>
      context.log.error(
        { err: error, component: 'Exports' },
        'Deleting a file failed (retried each minute)',
      ),
    );
}

/**
 * Opens the file of an export.
 * @param token of its link
 * @throws Refusal `not_found` for a wrong token, and after a day
 */
export async function downloadExport(
  context: Context,
  id: string,
  token: string,
  now: Instant,
): Promise<Download> {
  if (!isExportLink(context.tokenKeys, token, id)) throw refuse('not_found');
  const row = requireFound(await exportRows.findReadyExport(context.database, id, now));
  const date = row.created_at.toISOString().slice(0, 'YYYY-MM-DD'.length);
  return {
    name: `linework-${row.username}-${date}.zip`,
    size: row.bytes,
    body: toStream(context.exportFiles.read(requireFound(row.file_id ?? undefined))),
  };
}

/** Reads nothing until somebody reads the stream: a call of HEAD never does. */
function toStream(parts: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Deletes expired exports, and the files to which no export refers.
 * @throws when the store or the database fails; the other files wait for the next call
 */
export async function deleteExpiredExports(context: Context, now: Instant): Promise<void> {
  const { database, exportFiles } = context;
  await exportRows.deleteOldExports(database, now, now - FAILURE_RETENTION_MS);
  for (const { id, created_at } of await exportRows.listUnusedExportFiles(
    database,
    MAX_FILES_PER_CALL,
  )) {
    await exportFiles.remove(id);
    // Until then the file is deleted again each minute: a run that nobody needs may still add it.
    if (created_at.getTime() < now - LONGEST_RUN_MS)
      await exportRows.deleteExportFileRow(database, id);
  }
}

function toExport({ site, tokenKeys }: Context, row: exportRows.ExportRow): Export {
  const { id, state, done, total, bytes } = row;
  const token = signExportLink(tokenKeys, id);
  return {
    id,
    state,
    done,
    total,
    created_at: toRfc3339(row.created_at.getTime()),
    expires_at: row.expires_at && toRfc3339(row.expires_at.getTime()),
    size: bytes,
    url:
      state === 'ready'
        ? `${site.apiUrl}/api/v1/users/exports/${id}/download?token=${token}`
        : null,
  };
}
