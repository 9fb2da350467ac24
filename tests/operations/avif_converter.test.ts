import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { ListPage } from '#contract/common.ts';
import type { UploadedImage } from '#contract/image.ts';
import { createDiskStore } from '#server/images/disk_store.ts';
import { expectOk } from '#support/call_api.ts';
import { createMultipart, createPicture } from '#support/pictures.ts';
import { openTestApp } from '#support/test_app.ts';

const MINUTE_MS = 60_000;

/** Two servers with one database and one image store, and a picture that still lacks its AVIF. */
async function openTwoServers() {
  const folder = await mkdtemp(join(tmpdir(), 'linework-store-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const disk = createDiskStore(folder, '');
  const store = { reads: 0, whileReading: Promise.resolve(), fails: false };
  const images = {
    ...disk,
    read: async (...args: Parameters<typeof disk.read>) => {
      store.reads += 1;
      if (store.fails) throw new Error('The store is down');
      await store.whileReading;
      return disk.read(...args);
    },
  };
  const first = await openTestApp({ database: 'own', images });
  const second = await openTestApp({ images, database: new URL(first.databaseUrl) });
  const { token } = await first.newArtist();
  const { data } = await expectOk(
    first.call<ListPage<UploadedImage>>('POST /images/portfolio/upload', {
      token,
      multipart: createMultipart([await createPicture()]),
    }),
  );
  await first.imagesConverted();
  const id = data[0]?.id ?? '';
  const leaveUnfinished = () =>
    sql`UPDATE images SET formats = '{webp}' WHERE id = ${id}`.execute(first.database);
  await leaveUnfinished();
  store.reads = 0;
  const types = async () => {
    const { sources } = await expectOk(first.call<UploadedImage>(`GET /images/${id}`, { token }));
    return sources.map(({ type }) => type);
  };
  return { first, second, store, types, leaveUnfinished };
}

test('another server converts a picture that a killed server left unfinished within minutes', async () => {
  const { second, types } = await openTwoServers();
  await second.runMinutelyTasks();
  await second.imagesConverted();
  // The picture is so new that the first server may still be converting it.
  expect(await types()).toEqual(['image/webp']);
  await second.runMinutelyTasks(Date.now() + 3 * MINUTE_MS);
  await second.imagesConverted();
  expect(await types()).toEqual(['image/avif', 'image/webp']);
});

test('two servers never convert the same picture concurrently', async () => {
  const { first, second, store, types } = await openTwoServers();
  const reading = Promise.withResolvers<void>();
  store.whileReading = reading.promise;
  await first.runMinutelyTasks(Date.now() + 3 * MINUTE_MS);
  await expect.poll(() => store.reads, { timeout: 20_000 }).toBe(1);
  await second.runMinutelyTasks(Date.now() + 3 * MINUTE_MS);
  await second.imagesConverted();
  expect(store.reads).toBe(1);
  reading.resolve();
  await first.imagesConverted();
  expect([store.reads, await types()]).toEqual([1, ['image/avif', 'image/webp']]);
});

test('a server that failed to convert a picture leaves it to other servers', async () => {
  const { first, second, store, types } = await openTwoServers();
  store.fails = true;
  await first.runMinutelyTasks(Date.now() + 3 * MINUTE_MS);
  await first.imagesConverted();
  const attempts = store.reads;
  await first.runMinutelyTasks(Date.now() + 4 * MINUTE_MS);
  await first.imagesConverted();
  expect([store.reads, first.logged.length]).toEqual([attempts, 1]);
  store.fails = false;
  await second.runMinutelyTasks(Date.now() + 5 * MINUTE_MS);
  await second.imagesConverted();
  expect(await types()).toEqual(['image/avif', 'image/webp']);
});
