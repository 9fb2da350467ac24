/** Copies of all data of an artist: they start one, a job makes it, and they download it for a day. */
import { type InferResult, sql } from 'kysely';
import type { ListPage } from '#contract/common.ts';
import type { Download } from '#contract/endpoint.ts';
import type { Export } from '#contract/export.ts';
import type { ExportState } from '#domain/clients/export.ts';
import { refuse, requireFound } from '#domain/refusal.ts';
import { type Instant, toRfc3339 } from '#domain/time/time.ts';
import type { Database } from '#server/database/connect.ts';
import { insertSessionEvent } from '#server/database/security_events.ts';
import type { TokenOwner } from '../accounts/sessions.ts';
import { change } from '../change.ts';
import type { Context } from '../context.ts';
import { limitEvent } from '../limits.ts';
import { readLink, signLink } from '../mail/mail_tokens.ts';

/** How many the studio lists. */
const MAX_LISTED = 5;

/** An artist has at most one export with these states. */
export const UNFINISHED: readonly ExportState[] = ['waiting', 'running'];

/** Selects the artist's exports, with their size in bytes as a number. */
function selectExports(database: Database, artistId: string) {
  return database
    .selectFrom('exports')
    .select(['id', 'state', 'done', 'total', 'created_at', 'expires_at'])
    .select(sql<number | null>`bytes::float8`.as('bytes'))
    .where('artist_id', '=', artistId);
}

function findUnfinishedExport(database: Database, artistId: string) {
  return selectExports(database, artistId).where('state', 'in', UNFINISHED).executeTakeFirst();
}

/** Starts an export, or finds the one that is not finished yet. */
export async function startExport(context: Context, owner: TokenOwner): Promise<Export> {
  const artistId = owner.id;
  const unfinished = await findUnfinishedExport(context.database, artistId);
  if (unfinished) return toExport(context, unfinished);
  await limitEvent(context, ['exports'], { artist: artistId });
  return change(context, { invalidates: [] }, async (context) => {
    const { database, jobs } = context;
    const started = await database
      .insertInto('exports')
      .values({ artist_id: artistId })
      .onConflict((conflict) =>
        // PostgreSQL compares this with the condition of the index, so it has no parameters.
        conflict
          .column('artist_id')
          .where(sql<boolean>`state IN ('waiting', 'running')`)
          .doNothing(),
      )
      .returning('id')
      .executeTakeFirst();
    if (started) {
      await insertSessionEvent(database, owner, 'export_started');
      await jobs.enqueue(database, [{ kind: 'export', exportId: started.id }]);
    }
    const row = await findUnfinishedExport(database, artistId);
    // A concurrent call has started one, and it is finished already.
    if (!row) throw refuse('busy');
    return toExport(context, row);
  });
}

/** Lists the artist's last exports that have not expired, the newest first. */
export async function listExports(
  context: Context,
  artistId: string,
  now: Instant,
): Promise<ListPage<Export>> {
  const listed = await selectExports(context.database, artistId)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', new Date(now))]))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(sql.lit(MAX_LISTED))
    .execute();
  return { data: listed.map((row) => toExport(context, row)), count: listed.length };
}

/** Deletes an export with its file. A job that is making it stops soon. */
export async function deleteExport(context: Context, artistId: string, id: string): Promise<void> {
  const deleted = await context.database
    .deleteFrom('exports')
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .returning('file_id')
    .executeTakeFirst();
  const { file_id } = requireFound(deleted);
  if (file_id === null) return;
  // After a failure, `deleteExpiredExports` tries again. It also deletes the file of a job that still runs.
  await context.exportFiles
    .remove(file_id)
    .catch((error: unknown) =>
      context.log.error(
        { err: error, component: 'Exports' },
        'Deleting a file failed (retried each minute)',
      ),
    );
}

/** Opens the file of an export. @param token of its link, which works for a day */
export async function downloadExport(
  context: Context,
  id: string,
  token: string,
  now: Instant,
): Promise<Download> {
  requireFound(readLink(context.tokenKeys, 'export', token, [id]));
  const found = await context.database
    .selectFrom('exports')
    .innerJoin('artists', 'artists.id', 'exports.artist_id')
    .select(['file_id', 'username', 'exports.created_at'])
    .select(sql<number>`bytes::float8`.as('bytes'))
    .where('exports.id', '=', id)
    .where('state', '=', 'ready')
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst();
  const row = requireFound(found);
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

type ExportRow = InferResult<ReturnType<typeof selectExports>>[number];

function toExport({ site, tokenKeys }: Context, row: ExportRow): Export {
  const { id, state, done, total, bytes } = row;
  const token = signLink(tokenKeys, 'export', [], [id]);
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
