import { expect, test } from 'vitest';
import { DAY_MS } from '#domain/time.ts';
import * as exportRows from '#server/database/exports.ts';
import {
  addAppointment,
  addArtist,
  addDesign,
  addImage,
  addService,
} from '#support/database_rows.ts';
import { addExportRow } from '#support/exports.ts';
import { openTestApp } from '#support/test_app.ts';

const ENDED = { bytes: 10, lifetimeMs: DAY_MS };

async function openExports() {
  const { database } = await openTestApp({ database: 'own' });
  const artist = await addArtist(database);
  const id = await addExportRow(database, artist.id);
  const run = { exportId: id, fileId: crypto.randomUUID() };
  return {
    database,
    artist,
    id,
    run,
    start: () => exportRows.startExportRun(database, id, run.fileId),
  };
}

test('an artist has one unfinished export at a time, and any number of finished ones', async () => {
  const { database, artist, id } = await openExports();
  expect(await exportRows.insertExport(database, artist.id)).toBeUndefined();
  expect((await exportRows.findUnfinishedExport(database, artist.id))?.id).toBe(id);
  await exportRows.failExport(database, id);
  expect(await exportRows.findUnfinishedExport(database, artist.id)).toBeUndefined();
  expect(await exportRows.insertExport(database, artist.id)).toEqual(expect.any(String));
  const listed = await exportRows.listExports(database, artist.id, Date.now(), 5);
  expect(listed.map(({ state }) => state)).toEqual(['waiting', 'failed']);
});

test('the newest run of an export’s job alone stores progress and finishes it', async () => {
  const { database, artist, id, run, start } = await openExports();
  expect(await start()).toBe(artist.id);
  const newer = { exportId: id, fileId: crypto.randomUUID() };
  expect(await exportRows.startExportRun(database, id, newer.fileId)).toBe(artist.id);
  const progress = { done: 1, total: 2 };
  expect(await exportRows.updateExportProgress(database, run, progress)).toBe(false);
  expect(await exportRows.updateExportProgress(database, newer, progress)).toBe(true);
  expect(await exportRows.finishExport(database, run, ENDED)).toBeUndefined();
  expect(await exportRows.finishExport(database, newer, ENDED)).toBeGreaterThan(Date.now());
  const [row] = await exportRows.listExports(database, artist.id, Date.now(), 5);
  expect(row).toMatchObject({ state: 'ready', done: 2, total: 2, bytes: 10 });
  expect(await start()).toBeUndefined();
});

test('only a file to which no export refers is unused', async () => {
  const { database, artist, id, run, start } = await openExports();
  await start();
  const unused = async () =>
    (await exportRows.listUnusedExportFiles(database, 10)).map((row) => row.id);
  expect(await unused()).toEqual([]);
  await exportRows.finishExport(database, run, ENDED);
  expect(await unused()).toEqual([]);
  const other = await addArtist(database);
  expect(await exportRows.deleteExport(database, other.id, id)).toBeUndefined();
  expect(await exportRows.deleteExport(database, artist.id, id)).toBe(run.fileId);
  expect(await unused()).toEqual([run.fileId]);
  await exportRows.deleteExportFileRow(database, run.fileId);
  expect(await unused()).toEqual([]);
});

test('the rows of an export are those of one artist, each picture once', async () => {
  const { database, artist } = await openExports();
  await addService(database, artist);
  await addDesign(database, artist);
  await addImage(database, artist);
  await addAppointment(database, artist);
  await addAppointment(database, await addArtist(database));
  // A service, a design, two pictures, a client and an appointment.
  expect(await exportRows.countExportedRows(database, artist.id)).toBe(6);
});
