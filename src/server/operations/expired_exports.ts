/** Deletes copies of artists' data that nobody can download any more. */
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS, type Instant } from '#domain/time/time.ts';
import { deleteInBatches } from '#server/database/in_batches.ts';
import type { Context } from './context.ts';

/** How long an export that failed stays in the list. */
const FAILURE_RETENTION_MS = 7 * DAY_MS;
/** Longer than any run of the job that writes an export. Until then, it may still write a file that nobody needs. */
const LONGEST_RUN_MS = 2 * HOUR_MS;
/** Bounds the time that other minutely tasks may have to wait. */
const MAX_FILES_PER_CALL = 100;

/**
 * Deletes expired exports, those that failed long ago, and files to which no export refers, in random order,
 * so that files that cannot be deleted do not block the others.
 * @throws when the store or the database fails; the other files wait for the next call
 */
export async function deleteExpiredExports(context: Context, now: Instant): Promise<void> {
  const { database, exportFiles } = context;
  const isExpiredOrFailed = sql`expires_at <= ${new Date(now)}
    OR (expires_at IS NULL AND created_at < ${new Date(now - FAILURE_RETENTION_MS)})`;
  await deleteInBatches(database, 'exports', 'created_at', isExpiredOrFailed);
  const unused = await database
    .selectFrom('export_files')
    .select(['id', 'created_at'])
    .where(
      sql<boolean>`NOT EXISTS (SELECT FROM exports WHERE file_id = export_files.id AND state <> 'failed')`,
    )
    .orderBy(sql`random()`)
    .limit(sql.lit(MAX_FILES_PER_CALL))
    .execute();
  for (const { id, created_at } of unused) {
    await exportFiles.remove(id);
    // While the row stays, the file is deleted again each minute, if the job writes it meanwhile.
    if (created_at.getTime() < now - LONGEST_RUN_MS)
      await database.deleteFrom('export_files').where('id', '=', id).execute();
  }
}
