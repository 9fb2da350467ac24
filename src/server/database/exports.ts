/** Exports of all data of an artist, and the list of their files (table `export_files`). */
import { sql } from 'kysely';
import type { ExportState } from '#domain/export.ts';
import type { Instant } from '#domain/time.ts';
import type { Database } from './connect.ts';
import { deleteInBatches } from './in_batches.ts';

const UNFINISHED: readonly ExportState[] = ['waiting', 'running'];

const COLUMNS = ['id', 'state', 'done', 'total', 'created_at', 'expires_at'] as const;

function selectExports(database: Database) {
  return database
    .selectFrom('exports')
    .select(COLUMNS)
    .select(sql<number | null>`bytes::float8`.as('bytes'));
}

export type ExportRow = Awaited<ReturnType<typeof listExports>>[number];

/** Inserts a new export; undefined if the artist has an unfinished one. */
export async function insertExport(
  transaction: Database,
  artistId: string,
): Promise<string | undefined> {
  const row = await transaction
    .insertInto('exports')
    .values({ artist_id: artistId })
    .onConflict((conflict) =>
      // PostgreSQL compares this with the condition of the index, so it has no parameters.
      conflict.column('artist_id').where(sql<boolean>`state IN ('waiting', 'running')`).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Finds the artist's export that waits or is being made; there is at most one. */
export function findUnfinishedExport(database: Database, artistId: string) {
  return selectExports(database)
    .where('artist_id', '=', artistId)
    .where('state', 'in', UNFINISHED)
    .executeTakeFirst();
}

/** Lists the artist's newest exports that have not expired. */
export function listExports(database: Database, artistId: string, now: Instant, limit: number) {
  return selectExports(database)
    .where('artist_id', '=', artistId)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', new Date(now))]))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Deletes an export; returns the id of its file, null without one; undefined without the export. */
export async function deleteExport(
  database: Database,
  artistId: string,
  id: string,
): Promise<string | null | undefined> {
  const row = await database
    .deleteFrom('exports')
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .returning('file_id')
    .executeTakeFirst();
  return row?.file_id;
}

/** Deletes all exports of an artist, the unfinished one too; its job ends then. */
export async function deleteExportsOfArtist(
  transaction: Database,
  artistId: string,
): Promise<void> {
  await transaction.deleteFrom('exports').where('artist_id', '=', artistId).execute();
}

/** Finds any artist's export that can be downloaded now. */
export function findReadyExport(database: Database, id: string, now: Instant) {
  return database
    .selectFrom('exports')
    .innerJoin('artists', 'artists.id', 'exports.artist_id')
    .select(['file_id', 'username', 'exports.created_at'])
    .select(sql<number>`bytes::float8`.as('bytes'))
    .where('exports.id', '=', id)
    .where('state', '=', 'ready')
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst();
}

/**
 * Begins a run of the job of an unfinished export, with a new file; an earlier run loses its own.
 * @returns the artist's id; undefined if the export was deleted or is finished
 */
export async function startExportRun(
  database: Database,
  id: string,
  fileId: string,
): Promise<string | undefined> {
  return database.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('exports')
      .set({ state: 'running', file_id: fileId, done: 0, total: 0 })
      .where('id', '=', id)
      .where('state', 'in', UNFINISHED)
      .returning('artist_id')
      .executeTakeFirst();
    if (row) await transaction.insertInto('export_files').values({ id: fileId }).execute();
    return row?.artist_id;
  });
}

/** A run of an export's job, by the file that it writes. */
export interface ExportRun {
  readonly exportId: string;
  readonly fileId: string;
}

/** Counts an artist's rows of which an export consists; each picture is a row too. */
export async function countExportedRows(database: Database, artistId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT ((SELECT count(*) FROM services WHERE artist_id = ${artistId} AND deleted_at IS NULL)
      + (SELECT count(*) FROM designs WHERE artist_id = ${artistId} AND deleted_at IS NULL)
      + (SELECT count(*) FROM images WHERE artist_id = ${artistId})
      + (SELECT count(*) FROM clients WHERE artist_id = ${artistId} AND merged_into IS NULL)
      + (SELECT count(*) FROM appointments WHERE artist_id = ${artistId})
      + (SELECT count(*) FROM messages WHERE artist_id = ${artistId})
      + (SELECT count(*) FROM mails WHERE artist_id = ${artistId}))::int AS count
  `.execute(database);
  return rows[0]?.count ?? 0;
}

/** Stores the progress of a run; false if the export was deleted, or another run has begun. */
export async function updateExportProgress(
  database: Database,
  run: ExportRun,
  progress: { readonly done: number; readonly total: number },
): Promise<boolean> {
  const { numUpdatedRows } = await updateRun(database, run)
    .set({ done: progress.done, total: progress.total })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Ends a run whose file is stored.
 * @returns when the export expires; undefined if it was deleted, or another run has begun
 */
export async function finishExport(
  transaction: Database,
  run: ExportRun,
  { bytes, lifetimeMs }: { readonly bytes: number; readonly lifetimeMs: number },
): Promise<Instant | undefined> {
  const row = await updateRun(transaction, run)
    .set({
      state: 'ready',
      bytes,
      done: sql<number>`total`,
      expires_at: sql<Date>`now() + ${lifetimeMs} * interval '1 millisecond'`,
    })
    .returning('expires_at')
    .executeTakeFirst();
  return row?.expires_at?.getTime();
}

function updateRun(database: Database, { exportId, fileId }: ExportRun) {
  return database
    .updateTable('exports')
    .where('id', '=', exportId)
    .where('file_id', '=', fileId)
    .where('state', '=', 'running');
}

/** Stores that the job of an export was given up. */
export async function failExport(database: Database, id: string): Promise<void> {
  await database
    .updateTable('exports')
    .set({ state: 'failed' })
    .where('id', '=', id)
    .where('state', 'in', UNFINISHED)
    .execute();
}

/** Deletes the exports that have expired, and those that were started before an instant. */
export async function deleteOldExports(
  database: Database,
  now: Instant,
  startedBefore: Instant,
): Promise<void> {
  const isOver = sql`expires_at <= ${new Date(now)}
    OR (expires_at IS NULL AND created_at < ${new Date(startedBefore)})`;
  await deleteInBatches(database, 'exports', 'created_at', isOver);
}

/**
 * Lists up to `limit` files to which no export refers, in random order, so that files that cannot be
 * deleted do not block the others.
 */
export function listUnusedExportFiles(database: Database, limit: number) {
  return database
    .selectFrom('export_files')
    .select(['id', 'created_at'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('exports')
            .select('exports.id')
            .whereRef('exports.file_id', '=', 'export_files.id')
            .where('state', '!=', 'failed'),
        ),
      ),
    )
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();
}

/** Removes a file from the list, after it was deleted. */
export async function deleteExportFileRow(database: Database, id: string): Promise<void> {
  await database.deleteFrom('export_files').where('id', '=', id).execute();
}
