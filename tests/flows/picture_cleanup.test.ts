import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Design } from '#contract/design.ts';
import { deleteDesign, deleteMe } from '#contract/endpoints.ts';
import type { UploadedImage } from '#contract/image.ts';
import { createDiskStore } from '#server/images/disk_store.ts';
import type { ImageStore } from '#server/images/image_store.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { expectOk } from '#support/call_api.ts';
import { openFolder } from '#support/folder.ts';
import { PROOF } from '#support/new_artist.ts';
import {
  createMultipart,
  createNoisyPicture,
  createPicture,
  uploadPicture,
} from '#support/pictures.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

/** A disk store. `fails` sets how many of the next calls of each method throw. */
async function openFailingStore() {
  const folder = await openFolder();
  const disk = createDiskStore(folder, '');
  const fails = { put: 0, read: 0, remove: 0 };
  const failIfDue = (method: keyof typeof fails) => {
    if (fails[method] === 0) return;
    fails[method] -= 1;
    throw new Error('The store is down');
  };
  const images: ImageStore = {
    ...disk,
    put: async (...args) => {
      failIfDue('put');
      return disk.put(...args);
    },
    read: async (file) => {
      failIfDue('read');
      return disk.read(file);
    },
    remove: async (id) => {
      failIfDue('remove');
      return disk.remove(id);
    },
  };
  return { images, fails, files: () => readdir(folder, { recursive: true }) };
}

async function upload(app: TestApp, token: string): Promise<UploadedImage> {
  const image = await uploadPicture(app, token);
  await app.runJobs();
  return image;
}

async function countPendingRemovals({ database }: TestApp): Promise<number> {
  return (await database.selectFrom('removed_images').select('id').execute()).length;
}

test('files that the store failed to delete are deleted by the minutely tasks', async () => {
  const { images, fails, files } = await openFailingStore();
  const { app, token } = await openArtistApp({ database: 'own', images });
  const picture = await upload(app, token);
  const createDesignForm = async () =>
    createMultipart([await createPicture()], { name: 'Swallow' });
  const design = await expectOk(
    app.call<Design>('POST /designs', { token, multipart: await createDesignForm() }),
  );
  const changeAvatar = async () =>
    expectOk(
      app.call('PATCH /users/me/avatar', {
        token,
        multipart: createMultipart([await createPicture()]),
      }),
    );
  await changeAvatar();
  await upload(app, token);
  fails.remove = 5;
  await changeAvatar();
  await expectOk(app.call(`DELETE /images/${picture.id}`, { token }));
  await call(app.http(token), deleteDesign, { path: { design_id: design.id } });
  await app.runJobs();
  // Two pictures are left: an avatar and one of the portfolio.
  await call(app.http(token), deleteMe, { body: PROOF });
  expect([await countPendingRemovals(app), fails.remove]).toEqual([5, 0]);
  expect(
    app.logged.filter((line) => line.startsWith('Images: Deleting the files of an image failed')),
  ).toHaveLength(5);
  expect(await files()).not.toEqual([]);
  await app.runMinutelyTasks();
  expect([await files(), await countPendingRemovals(app)]).toEqual([[], 0]);
});

test('a pending removal is stored before the files are deleted, in case the process crashes', async () => {
  const { images } = await openFailingStore();
  const pendingCounts: number[] = [];
  const remove = async (id: string) => {
    pendingCounts.push(await countPendingRemovals(app));
    await images.remove(id);
  };
  const app: TestApp = await openTestApp({ database: 'own', images: { ...images, remove } });
  const { token } = await app.newArtist();
  const picture = await upload(app, token);
  await expectOk(app.call(`DELETE /images/${picture.id}`, { token }));
  const send = async (route: string, texts = {}) => {
    const body = createMultipart([await createPicture()], texts);
    const created = await expectOk(app.call<Design>(route, { token, multipart: body }));
    // A picture deleted during its AVIF conversion would be removed twice.
    await app.runJobs();
    return created;
  };
  const { id } = await send('POST /designs', { name: 'Swallow' });
  await call(app.http(token), deleteDesign, { path: { design_id: id } });
  await send('PATCH /users/me/avatar');
  await send('PATCH /users/me/avatar');
  await upload(app, token);
  expect(pendingCounts).toEqual([1, 1, 1]);
  await call(app.http(token), deleteMe, { body: PROOF });
  expect(pendingCounts).toEqual([1, 1, 1, 2, 1]);
  expect(await countPendingRemovals(app)).toBe(0);
});

test('files that a refused upload left in the store are deleted by the minutely tasks', async () => {
  const { images, fails, files } = await openFailingStore();
  const { app, token } = await openArtistApp({ database: 'own', images });
  const damaged = (await createNoisyPicture(400, 300).jpeg().toBuffer()).subarray(0, 20_000);
  fails.remove = 2;
  const body = createMultipart([await createPicture(), damaged]);
  const response = await app.call('POST /images/portfolio/upload', { token, multipart: body });
  expect([response.status, await countPendingRemovals(app)]).toEqual([422, 2]);
  await app.runMinutelyTasks();
  expect([await files(), await countPendingRemovals(app)]).toEqual([[], 0]);
});

test('while files cannot be deleted, each run of the minutely tasks logs one line', async () => {
  const { images, fails } = await openFailingStore();
  const { app, token } = await openArtistApp({ database: 'own', images });
  const pictures = [await upload(app, token), await upload(app, token)];
  fails.remove = 3;
  for (const picture of pictures)
    await expectOk(app.call(`DELETE /images/${picture.id}`, { token }));
  const before = app.logged.length;
  await app.runMinutelyTasks();
  expect(app.logged.slice(before)).toEqual([
    expect.stringMatching(
      /^Tasks: Deleting the files of deleted images failed \(trying again next minute\): Error: The store is down\n +at /,
    ),
  ]);
  expect(await countPendingRemovals(app)).toBe(2);
});
