import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deleteMe } from '#client/artists.ts';
import { deleteDesign } from '#client/designs.ts';
import type { ListPage } from '#contract/common.ts';
import type { Design } from '#contract/design.ts';
import type { UploadedImage } from '#contract/image.ts';
import { createDiskStore } from '#server/images/disk_store.ts';
import type { ImageStore } from '#server/images/image_store.ts';
import { expectOk } from '#support/call_api.ts';
import { createMultipart, createNoisyPicture, createPicture } from '#support/pictures.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

/** A store of its own that does what it is told to fail at so many times in vain. */
async function openStore() {
  const folder = await mkdtemp(join(tmpdir(), 'linework-store-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const disk = createDiskStore(folder, '');
  const fails = { put: 0, read: 0, remove: 0 };
  const perhaps = (what: keyof typeof fails) => {
    if (fails[what] === 0) return;
    fails[what] -= 1;
    throw new Error('The store is down');
  };
  const images: ImageStore = {
    ...disk,
    put: async (...args) => {
      perhaps('put');
      return disk.put(...args);
    },
    read: async (file) => {
      perhaps('read');
      return disk.read(file);
    },
    remove: async (id) => {
      perhaps('remove');
      return disk.remove(id);
    },
  };
  return { images, fails, files: () => readdir(folder, { recursive: true }) };
}

async function upload(app: TestApp, token: string): Promise<UploadedImage | undefined> {
  const body = createMultipart([await createPicture()]);
  const path = 'POST /images/portfolio/upload';
  const { data } = await expectOk(
    app.call<ListPage<UploadedImage>>(path, { token, multipart: body }),
  );
  await app.imagesConverted();
  return data[0];
}

async function countDue({ database }: TestApp): Promise<number> {
  return (await database.selectFrom('removed_images').select('id').execute()).length;
}

test('files that the store failed to remove are removed by the next start', async () => {
  const { images, fails, files } = await openStore();
  const app = await openTestApp({ database: 'own', images });
  const { token } = await app.newArtist();
  const picture = await upload(app, token);
  const fresh = async () => createMultipart([await createPicture()], { name: 'Swallow' });
  const design = await expectOk(
    app.call<Design>('POST /designs', { token, multipart: await fresh() }),
  );
  const avatar = async () =>
    expectOk(
      app.call('PATCH /users/me/avatar', {
        token,
        multipart: createMultipart([await createPicture()]),
      }),
    );
  await avatar();
  await upload(app, token);
  fails.remove = 5;
  await avatar();
  await expectOk(app.call(`DELETE /images/${picture?.id}`, { token }));
  await deleteDesign(app.http(token), design.id);
  await app.imagesConverted();
  // The last of the avatars and of the portfolio.
  await deleteMe(app.http(token));
  expect([await countDue(app), fails.remove]).toEqual([5, 0]);
  expect(app.logged.filter((line) => line.includes('were left behind'))).toHaveLength(5);
  expect(await files()).not.toEqual([]);
  app.convertUnfinishedImages();
  await app.imagesConverted();
  expect([await files(), await countDue(app)]).toEqual([[], 0]);
});

test('files are due for removal before the store is asked, should the process end right then', async () => {
  const { images } = await openStore();
  const due: number[] = [];
  const remove = async (id: string) => {
    due.push(await countDue(app));
    await images.remove(id);
  };
  const app: TestApp = await openTestApp({ database: 'own', images: { ...images, remove } });
  const { token } = await app.newArtist();
  const picture = await upload(app, token);
  await expectOk(app.call(`DELETE /images/${picture?.id}`, { token }));
  const send = async (what: string, texts = {}) => {
    const body = createMultipart([await createPicture()], texts);
    const sent = await expectOk(app.call<Design>(what, { token, multipart: body }));
    // What is deleted while it is being finished is removed twice.
    await app.imagesConverted();
    return sent;
  };
  const { id } = await send('POST /designs', { name: 'Swallow' });
  await deleteDesign(app.http(token), id);
  await send('PATCH /users/me/avatar');
  await send('PATCH /users/me/avatar');
  await upload(app, token);
  expect(due).toEqual([1, 1, 1]);
  await deleteMe(app.http(token));
  expect(due).toEqual([1, 1, 1, 2, 1]);
  expect(await countDue(app)).toBe(0);
});

test('a picture whose files are gone is not remembered', async () => {
  const { images, files } = await openStore();
  const app = await openTestApp({ database: 'own', images });
  const { token } = await app.newArtist();
  const picture = await upload(app, token);
  await expectOk(app.call(`DELETE /images/${picture?.id}`, { token }));
  expect([await files(), await countDue(app)]).toEqual([[], 0]);
});

test('what a refused upload left in the store is removed by the next start', async () => {
  const { images, fails, files } = await openStore();
  const app = await openTestApp({ database: 'own', images });
  const { token } = await app.newArtist();
  const damaged = (await createNoisyPicture(400, 300).jpeg().toBuffer()).subarray(0, 20_000);
  fails.remove = 2;
  const body = createMultipart([await createPicture(), damaged]);
  const answer = await app.call('POST /images/portfolio/upload', { token, multipart: body });
  expect([answer.status, await countDue(app)]).toEqual([422, 2]);
  app.convertUnfinishedImages();
  await app.imagesConverted();
  expect([await files(), await countDue(app)]).toEqual([[], 0]);
});

test('a picture that could not be finished is tried again, and the failure passes unheard', async () => {
  const { images, fails } = await openStore();
  const app = await openTestApp({ database: 'own', images });
  const { token } = await app.newArtist();
  fails.read = 2;
  const picture = await upload(app, token);
  const { sources } = await expectOk(
    app.call<UploadedImage>(`GET /images/${picture?.id}`, { token }),
  );
  expect(sources.map(({ type }) => type)).toEqual(['image/avif', 'image/webp']);
  expect(app.logged).toEqual([]);
});

test('a picture that cannot be finished is left to the next start in the end', async () => {
  const { images, fails } = await openStore();
  const app = await openTestApp({ database: 'own', images });
  const { token } = await app.newArtist();
  fails.read = 3;
  const picture = await upload(app, token);
  expect([fails.read, app.logged]).toEqual([
    0,
    ['A picture was not finished: Error: The store is down'],
  ]);
  app.convertUnfinishedImages();
  await app.imagesConverted();
  const { sources } = await expectOk(
    app.call<UploadedImage>(`GET /images/${picture?.id}`, { token }),
  );
  expect(sources).toHaveLength(2);
});
