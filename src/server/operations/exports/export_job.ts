import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { EXPORT_LIFETIME_MS } from '#domain/clients/export.ts';
import { requireFound } from '#domain/refusal.ts';
import { findArtistById } from '#server/database/artists.ts';
import type { Database } from '#server/database/connect.ts';
import { change } from '../change.ts';
import type { Context } from '../context.ts';
import { notify, toAccountSnapshot } from '../mail/notify.ts';
import { addArtistData } from './export_contents.ts';
import { UNFINISHED } from './exports.ts';
import { writeZip } from './zip_file.ts';

const PROGRESS_INTERVAL_MS = 1000;

/** The export was deleted, or another run of its job has begun. */
class NotNeeded extends Error {}

/**
 * Makes the file of an export, and mails the artist that it is ready. Each run writes a file of its
 * own, so that a run that another server has taken over does no harm.
 * @param signal interrupts the work
 * @throws when it failed or was interrupted: the next run begins from the start
 */
export async function runExport(
  context: Context,
  exportId: string,
  signal: AbortSignal,
): Promise<void> {
  const { exportFiles, uploadFolder } = context;
  const run = { exportId, fileId: randomUUID() };
  const started = await beginRun(context, run);
  if (!started) return;
  // In this folder, a server deletes at its start the files that a killed one has left.
  const path = join(uploadFolder, `${run.fileId}.zip`);
  try {
    const bytes = await writeZip(path, signal, (zip) =>
      addArtistData(context, started, zip, createProgressStore(context, run)),
    );
    signal.throwIfAborted();
    await exportFiles.put(run.fileId, path);
    if (!(await finishRun(context, started.artistId, run, bytes)))
      await exportFiles.remove(run.fileId);
  } catch (error) {
    if (!(error instanceof NotNeeded)) throw error;
  } finally {
    await rm(path, { force: true });
  }
}

/** Stores that the job of an export was given up. */
export async function failExport({ database }: Context, exportId: string): Promise<void> {
  await database
    .updateTable('exports')
    .set({ state: 'failed' })
    .where('id', '=', exportId)
    .where('state', 'in', UNFINISHED)
    .execute();
}

/** A run of an export's job, by the file that it writes. */
interface ExportRun {
  readonly exportId: string;
  readonly fileId: string;
}

/** Begins a run, in place of an earlier one. Undefined if the export was deleted or is finished. */
function beginRun(context: Context, { exportId, fileId }: ExportRun) {
  return change(context, { invalidates: [] }, async ({ database }, now) => {
    const row = await database
      .updateTable('exports')
      .set({ state: 'running', file_id: fileId, done: 0, total: 0 })
      .where('id', '=', exportId)
      .where('state', 'in', UNFINISHED)
      .returning('artist_id')
      .executeTakeFirst();
    if (!row) return undefined;
    await database.insertInto('export_files').values({ id: fileId }).execute();
    return { artistId: row.artist_id, now };
  });
}

/** The update of the export by its run: changes nothing if the export was deleted, or another run has begun. */
function updateRun(database: Database, { exportId, fileId }: ExportRun) {
  return database
    .updateTable('exports')
    .where('id', '=', exportId)
    .where('file_id', '=', fileId)
    .where('state', '=', 'running');
}

/** Returns a function that stores the progress, at most once per interval, and ends a run that is not needed. */
function createProgressStore({ database }: Context, run: ExportRun) {
  let storedAt = Number.NEGATIVE_INFINITY;
  return async (done: number, total: number) => {
    if (performance.now() - storedAt < PROGRESS_INTERVAL_MS) return;
    storedAt = performance.now();
    const { numUpdatedRows } = await updateRun(database, run)
      .set({ done, total })
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new NotNeeded();
  };
}

/** Stores that the export is ready, and mails the artist. Returns false if nobody needs the file any more. */
function finishRun(
  context: Context,
  artistId: string,
  run: ExportRun,
  bytes: number,
): Promise<boolean> {
  return change(context, { invalidates: [] }, async (context, now) => {
    const until = now + EXPORT_LIFETIME_MS;
    const { numUpdatedRows } = await updateRun(context.database, run)
      .set({ state: 'ready', bytes, done: sql<number>`total`, expires_at: new Date(until) })
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    const artist = requireFound(await findArtistById(context.database, artistId));
    const notice = { artist: toAccountSnapshot(artist), export: run.exportId, until };
    const zone = artist.time_zone;
    await notify(context, { notices: [{ kind: 'export_ready', ...notice, zone }] });
    return true;
  });
}
