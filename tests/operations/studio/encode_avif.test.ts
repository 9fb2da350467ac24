import { readdir } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import { deleteImage } from '#contract/endpoints.ts';
import { createDiskStore } from '#server/images/disk_store.ts';
import { createSharpPictureEncoder } from '#server/images/sharp_picture_encoder.ts';
import { encodeAvif, enqueueMissingAvif } from '#server/operations/studio/encode_avif.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addImage } from '#support/database_rows.ts';
import { openFolder } from '#support/folder.ts';
import { uploadPicture } from '#support/pictures.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

const SIGNAL = new AbortController().signal;
const AVIF = { formats: ['avif', 'webp'] };

/** An uploaded picture whose job has not run, and a server that can encode it. */
async function openUpload() {
  const folder = await openFolder();
  const disk = createDiskStore(folder, '');
  const store = { reads: 0, fails: false, beforeRead: async () => {} };
  const images = {
    ...disk,
    read: async (...args: Parameters<typeof disk.read>) => {
      store.reads += 1;
      if (store.fails) throw new Error('The store is down');
      await store.beforeRead();
      return disk.read(...args);
    },
  };
  const app = await openTestApp({ database: 'own', images });
  const { database } = app;
  const { token } = await app.newArtist();
  const { id } = await uploadPicture(app, token);
  const { context, logs } = await openTestContext({
    database,
    images,
    encoder: createSharpPictureEncoder(),
  });
  return {
    app,
    id,
    store,
    images,
    logs,
    database,
    encode: (signal = SIGNAL) => encodeAvif(context, id, signal),
    remove: () => call(app.http(token), deleteImage, { path: { image_id: id } }),
    files: async () => (await readdir(folder, { recursive: true })).sort(),
    row: () =>
      database.selectFrom('images').select('formats').where('id', '=', id).executeTakeFirst(),
    jobs: async () => {
      const { rows } = await sql<{ state: string; singleton_key: string | null }>`
        SELECT state, singleton_key FROM pgboss.job WHERE name = 'encode_avif'
      `.execute(database);
      return rows;
    },
    filesOf: (...names: string[]) => [id, ...names.map((name) => `${id}/${name}`)],
  };
}

test('a start enqueues pictures without AVIF, but not those that have a job', async () => {
  const { app, id, jobs, row, database } = await openUpload();
  await app.enqueueMissingAvif();
  expect(await jobs()).toHaveLength(1);
  await sql`DELETE FROM pgboss.job`.execute(database);
  await Promise.all([app.enqueueMissingAvif(), app.enqueueMissingAvif()]);
  expect(await jobs()).toEqual([{ state: 'created', singleton_key: id }]);
  await app.runJobs();
  expect(await row()).toEqual(AVIF);
  await app.enqueueMissingAvif();
  expect(await jobs()).toEqual([{ state: 'completed', singleton_key: id }]);
});

test('a picture that can never be encoded is given up after eight attempts, until the next start', async () => {
  const { app, id, store, jobs, row } = await openUpload();
  store.fails = true;
  await app.runJobs();
  for (let attempt = 2; attempt <= 9; attempt += 1) await app.retryFailedJobs();
  expect([store.reads, await jobs()]).toEqual([8, [{ state: 'failed', singleton_key: id }]]);
  store.fails = false;
  await app.enqueueMissingAvif();
  await app.runJobs();
  expect(await row()).toEqual(AVIF);
});

test('a picture is never encoded twice at once', async () => {
  const { encode, store, row } = await openUpload();
  const release = Promise.withResolvers<void>();
  store.beforeRead = () => release.promise;
  const first = encode();
  await expect.poll(() => store.reads).toBe(1);
  await expect(encode()).rejects.toThrow('another server is encoding it');
  release.resolve();
  await first;
  await encode();
  expect([store.reads, await row()]).toEqual([1, AVIF]);
});

test('an interrupted encoding frees its lock at once, stores nothing more, and another run finishes it', async () => {
  const { encode, store, row, files, filesOf } = await openUpload();
  const release = Promise.withResolvers<void>();
  store.beforeRead = () => release.promise;
  const interruption = new AbortController();
  const first = encode(interruption.signal);
  await expect.poll(() => store.reads).toBe(1);
  interruption.abort(new Error('the server stops'));
  await expect(first).rejects.toThrow('the server stops');
  await expect(encode(interruption.signal)).rejects.toThrow('the server stops');
  expect([store.reads, await files()]).toEqual([1, filesOf('60.webp')]);
  store.beforeRead = async () => {};
  await encode();
  release.resolve();
  expect([await row(), await files()]).toEqual([AVIF, filesOf('60.avif', '60.webp')]);
});

test('a picture that another server has finished meanwhile keeps its files, although this run fails', async () => {
  const { encode, store, row, database, files, filesOf } = await openUpload();
  store.beforeRead = async () => {
    // The lock's connection was lost, so another server has encoded the picture too.
    await database
      .updateTable('images')
      .set({ formats: ['avif', 'webp'] })
      .execute();
    throw new Error('The connection is lost');
  };
  await expect(encode()).rejects.toThrow('The connection is lost');
  expect([await row(), await files()]).toEqual([AVIF, filesOf('60.webp')]);
});

test('the files of a picture that was deleted during its encoding are deleted', async () => {
  const { encode, store, remove, row, files, logs } = await openUpload();
  store.beforeRead = async () => {
    store.beforeRead = async () => {};
    await remove();
  };
  await encode();
  expect([await row(), await files(), logs]).toEqual([undefined, [], []]);
});

test('files that a killed server added to a deleted picture are deleted by the next run of its job', async () => {
  const { encode, id, images, remove, files, filesOf } = await openUpload();
  await remove();
  await images.put({ imageId: id, width: 60, format: 'avif' }, new Uint8Array());
  expect(await files()).toEqual(filesOf('60.avif'));
  await encode();
  expect(await files()).toEqual([]);
});

test('images without AVIF get jobs in the order of their ids; artists take turns', async () => {
  const { context, jobs, database, artist } = await openArtistContext();
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1)
    ids.push((await addImage(database, artist, { formats: ['webp'] })).id);
  const other = await addImage(database, artist, { formats: ['avif', 'webp'] });
  await enqueueMissingAvif(context);
  const imageIds = jobs.map((job) => (job.kind === 'encode_avif' ? job.imageId : job.kind));
  expect(imageIds.filter((id) => ids.includes(id))).toEqual(ids.toSorted());
  expect(imageIds).not.toContain(other.id);
  for (const [rank, imageId] of ids.entries())
    expect(jobs).toContainEqual({ kind: 'encode_avif', imageId, priority: 0 - rank });
});
