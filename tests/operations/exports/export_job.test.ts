import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { failExport, runExport } from '#server/operations/exports/export_job.ts';
import { addArtist, addImage, listNotices } from '#support/database_rows.ts';
import { addExportRow } from '#support/exports.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const NO_SIGNAL = new AbortController().signal;

/** An artist with one portfolio picture and a waiting export. */
async function openExportJob() {
  const uploadFolder = await mkdtemp(join(tmpdir(), 'linework-exports-'));
  onTestFinished(() => rm(uploadFolder, { recursive: true }));
  const { database } = await openTestApp();
  const opened = await openTestContext({ database, uploadFolder });
  const { context, files } = opened;
  const artist = await addArtist(database);
  const addPicture = async () => {
    const { id } = await addImage(database, artist, { widths: [400, 800] });
    files.set(`${id}/800.webp`, new Uint8Array([1, 2, 3]));
    return id;
  };
  const imageId = await addPicture();
  const id = await addExportRow(database, artist.id);
  const store = { beforeRead: async () => {} };
  const images = {
    ...context.images,
    read: async (file: Parameters<typeof context.images.read>[0]) => {
      await store.beforeRead();
      return context.images.read(file);
    },
  };
  return {
    ...{ database, imageId, id, files, store, addPicture },
    run: (signal = NO_SIGNAL) => runExport({ ...context, images }, id, signal),
    fail: () => failExport(context, id),
    row: () =>
      database
        .selectFrom('exports')
        .select(['state', 'file_id', 'done', 'total'])
        .where('id', '=', id)
        .executeTakeFirst(),
    exported: () => [...files.keys()].filter((name) => name.endsWith('.zip')),
    leftovers: () => readdir(uploadFolder),
    mailCount: async () => (await listNotices(database, artist.id)).length,
  };
}

test('a job that runs twice makes one file and queues one mail', async () => {
  const { run, row, files, exported, leftovers, imageId, mailCount } = await openExportJob();
  await run();
  await run();
  const [name = ''] = exported();
  expect([exported().length, await row()]).toMatchObject([
    1,
    { state: 'ready', done: 1, total: 1 },
  ]);
  const contents = unzipSync(files.get(name) ?? new Uint8Array());
  expect(contents[`pictures/portfolio/a-swallow-${imageId.slice(0, 8)}.webp`]).toEqual(
    new Uint8Array([1, 2, 3]),
  );
  expect([await leftovers(), await mailCount()]).toEqual([[], 1]);
});

test('an interrupted job leaves no file behind, and the next run finishes the export', async () => {
  const { run, row, store, exported, leftovers } = await openExportJob();
  const interruption = new AbortController();
  store.beforeRead = async () => {
    interruption.abort(new Error('the server stops'));
  };
  await expect(run(interruption.signal)).rejects.toThrow('the server stops');
  expect([await row(), exported(), await leftovers()]).toMatchObject([
    { state: 'running' },
    [],
    [],
  ]);
  store.beforeRead = async () => {};
  await run();
  expect([await row(), exported().length]).toMatchObject([{ state: 'ready' }, 1]);
});

test('of two runs at once, the newest alone stores its file and mails the artist', async () => {
  const { run, row, store, exported, leftovers, mailCount } = await openExportJob();
  store.beforeRead = async () => {
    store.beforeRead = async () => {};
    await run();
  };
  await run();
  expect(exported()).toHaveLength(1);
  const { file_id, ...rest } = (await row()) ?? {};
  expect([exported(), rest]).toEqual([[`${file_id}.zip`], { state: 'ready', done: 1, total: 1 }]);
  expect([await leftovers(), await mailCount()]).toEqual([[], 1]);
});

test.each([1, 2])(
  'a run that another server takes over at its picture %i stores no file and mails nobody',
  async (nth) => {
    const { database, id, addPicture, run, row, store, exported, mailCount } =
      await openExportJob();
    await addPicture();
    let reads = 0;
    store.beforeRead = async () => {
      reads += 1;
      if (reads < nth) return;
      await database
        .updateTable('exports')
        .set({ file_id: crypto.randomUUID() })
        .where('id', '=', id)
        .execute();
    };
    await run();
    expect(await row()).toMatchObject({ state: 'running' });
    expect([exported(), await mailCount()]).toEqual([[], 0]);
  },
);

test('a job whose export is deleted meanwhile stores no file and mails nobody', async () => {
  const { run, database, id, store, exported, mailCount } = await openExportJob();
  store.beforeRead = async () => {
    await database.deleteFrom('exports').where('id', '=', id).execute();
  };
  await run();
  expect([exported(), await mailCount()]).toEqual([[], 0]);
});

test('a picture that was deleted meanwhile is left out; one that cannot be read fails the job', async () => {
  const { run, row, database, imageId, files, store, exported } = await openExportJob();
  files.delete(`${imageId}/800.webp`);
  await expect(run()).rejects.toThrow('There is no such file');
  expect(exported()).toEqual([]);
  store.beforeRead = async () => {
    await database.deleteFrom('images').where('id', '=', imageId).execute();
  };
  await run();
  const [name = ''] = exported();
  expect(Object.keys(unzipSync(files.get(name) ?? new Uint8Array()))).not.toContain(
    expect.stringContaining('pictures/'),
  );
  expect(await row()).toMatchObject({ state: 'ready' });
});

test('a job that was given up says so, unless the export is ready', async () => {
  const { run, fail, row } = await openExportJob();
  await fail();
  expect(await row()).toMatchObject({ state: 'failed' });
  await run();
  expect(await row()).toMatchObject({ state: 'failed' });
  const other = await openExportJob();
  await other.run();
  await other.fail();
  expect(await other.row()).toMatchObject({ state: 'ready' });
});
