import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EXPORT_LIFETIME_MS } from '#domain/export.ts';
import { requireFound } from '#domain/refusal.ts';
import { findArtistById } from '#server/database/artists.ts';
import * as exportRows from '#server/database/exports.ts';
import type { Context } from './context.ts';
import { addArtistData } from './export_contents.ts';
import { notify, toAccountSnapshot } from './notify.ts';
import { writeZip } from './zip_file.ts';

const PROGRESS_INTERVAL_MS = 1000;

/** The export was deleted, or another run of its job has begun. */
class NotNeeded extends Error {}

/**
 * Makes the file of an export, and mails the artist that it is ready. Each run writes a file of its
 * own, so that a run that another server has taken over does no harm.
 * @param signal interrupts the work
 * @throws when it failed or was interrupted: the next run begins anew
 */
export async function runExport(
  context: Context,
  exportId: string,
  signal: AbortSignal,
): Promise<void> {
  const { database, exportFiles, uploadFolder } = context;
  const run = { exportId, fileId: randomUUID() };
  const artistId = await exportRows.startExportRun(database, exportId, run.fileId);
  if (artistId === undefined) return;
  // As with uploads, a start deletes what a killed server has left here.
  const path = join(uploadFolder, `${run.fileId}.zip`);
  try {
    const bytes = await writeZip(path, signal, (zip) =>
      addArtistData(context, artistId, zip, progressOf(context, run), Date.now()),
    );
    signal.throwIfAborted();
    await exportFiles.put(run.fileId, path);
    if (!(await finish(context, artistId, run, bytes))) await exportFiles.remove(run.fileId);
  } catch (error) {
    if (!(error instanceof NotNeeded)) throw error;
  } finally {
    await rm(path, { force: true });
  }
}

/** Stores that the job of an export was given up. */
export async function failExport({ database }: Context, exportId: string): Promise<void> {
  await exportRows.failExport(database, exportId);
}

/** Returns a function that stores the progress, at most once per interval. */
function progressOf({ database }: Context, run: exportRows.ExportRun) {
  let storedAt = Number.NEGATIVE_INFINITY;
  return async (done: number, total: number) => {
    if (performance.now() - storedAt < PROGRESS_INTERVAL_MS) return;
    storedAt = performance.now();
    if (!(await exportRows.updateExportProgress(database, run, { done, total })))
      throw new NotNeeded();
  };
}

/** Returns false if nobody needs the file any more. */
function finish(
  context: Context,
  artistId: string,
  run: exportRows.ExportRun,
  bytes: number,
): Promise<boolean> {
  return context.database.transaction().execute(async (transaction) => {
    const until = await exportRows.finishExport(transaction, run, {
      bytes,
      lifetimeMs: EXPORT_LIFETIME_MS,
    });
    if (until === undefined) return false;
    const artist = requireFound(await findArtistById(transaction, artistId));
    const notice = { artist: toAccountSnapshot(artist), export: run.exportId, until };
    await notify(context, transaction, artistId, [
      { kind: 'export_ready', ...notice, zone: artist.time_zone },
    ]);
    return true;
  });
}
