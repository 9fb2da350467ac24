import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { Design } from '#contract/design.ts';
import { deleteDesign, deleteMe } from '#contract/endpoints.ts';
import type { UploadedImage } from '#contract/image.ts';
import { createDiskStore } from '#server/images/disk_store.ts';
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

async function upload(app: TestApp, token: string): Promise<UploadedImage> {
  const image = await uploadPicture(app, token);
  await app.runJobs();
  return image;
}

async function countPendingRemovals({ database }: TestApp): Promise<number> {
  return (await database.selectFrom('removed_images').select('id').execute()).length;
}

test('a pending removal is stored before the files are deleted, in case the process crashes', async () => {
  const images = createDiskStore(await openFolder(), '');
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
  const folder = await openFolder();
  const images = createDiskStore(folder, '');
  let failures = 2;
  const remove = async (id: string) => {
    failures -= 1;
    if (failures >= 0) throw new Error('The store is down');
    await images.remove(id);
  };
  const { app, token } = await openArtistApp({ database: 'own', images: { ...images, remove } });
  const damaged = (await createNoisyPicture(400, 300).jpeg().toBuffer()).subarray(0, 20_000);
  const body = createMultipart([await createPicture(), damaged]);
  const response = await app.call('POST /images/portfolio/upload', { token, multipart: body });
  expect([response.status, await countPendingRemovals(app)]).toEqual([422, 2]);
  await app.runMinutelyTasks();
  expect([await readdir(folder), await countPendingRemovals(app)]).toEqual([[], 0]);
});
