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
import type { ImageStore } from '#server/images/store.ts';
import { expectOk } from '#support/calls.ts';
import { aPicture, grainy, multipart } from '#support/pictures.ts';
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

async function upload(studio: TestApp, token: string): Promise<UploadedImage | undefined> {
  const body = multipart([await aPicture()]);
  const path = 'POST /images/portfolio/upload';
  const { data } = await expectOk(
    studio.call<ListPage<UploadedImage>>(path, { token, multipart: body }),
  );
  await studio.finished();
  return data[0];
}

async function countDue({ database }: TestApp): Promise<number> {
  return (await database.selectFrom('removed_images').select('id').execute()).length;
}

test('files that the store failed to remove are removed by the next start', async () => {
  const { images, fails, files } = await openStore();
  const studio = await openTestApp({ database: 'own', images });
  const { token } = await studio.artist();
  const picture = await upload(studio, token);
  const fresh = async () => multipart([await aPicture()], { name: 'Swallow' });
  const design = await expectOk(
    studio.call<Design>('POST /designs', { token, multipart: await fresh() }),
  );
  const avatar = async () =>
    expectOk(
      studio.call('PATCH /users/me/avatar', { token, multipart: multipart([await aPicture()]) }),
    );
  await avatar();
  await upload(studio, token);
  fails.remove = 5;
  await avatar();
  await expectOk(studio.call(`DELETE /images/${picture?.id}`, { token }));
  await deleteDesign(studio.http(token), design.id);
  await studio.finished();
  // The last of the avatars and of the portfolio.
  await deleteMe(studio.http(token));
  expect([await countDue(studio), fails.remove]).toEqual([5, 0]);
  expect(studio.logged.filter((line) => line.includes('were left behind'))).toHaveLength(5);
  expect(await files()).not.toEqual([]);
  studio.sweep();
  await studio.finished();
  expect([await files(), await countDue(studio)]).toEqual([[], 0]);
});

test('files are due for removal before the store is asked, should the process end right then', async () => {
  const { images } = await openStore();
  const due: number[] = [];
  const remove = async (id: string) => {
    due.push(await countDue(studio));
    await images.remove(id);
  };
  const studio: TestApp = await openTestApp({ database: 'own', images: { ...images, remove } });
  const { token } = await studio.artist();
  const picture = await upload(studio, token);
  await expectOk(studio.call(`DELETE /images/${picture?.id}`, { token }));
  const send = async (what: string, texts = {}) => {
    const body = multipart([await aPicture()], texts);
    const sent = await expectOk(studio.call<Design>(what, { token, multipart: body }));
    // What is deleted while it is being finished is removed twice.
    await studio.finished();
    return sent;
  };
  const { id } = await send('POST /designs', { name: 'Swallow' });
  await deleteDesign(studio.http(token), id);
  await send('PATCH /users/me/avatar');
  await send('PATCH /users/me/avatar');
  await upload(studio, token);
  expect(due).toEqual([1, 1, 1]);
  await deleteMe(studio.http(token));
  expect(due).toEqual([1, 1, 1, 2, 1]);
  expect(await countDue(studio)).toBe(0);
});

test('a picture whose files are gone is not remembered', async () => {
  const { images, files } = await openStore();
  const studio = await openTestApp({ database: 'own', images });
  const { token } = await studio.artist();
  const picture = await upload(studio, token);
  await expectOk(studio.call(`DELETE /images/${picture?.id}`, { token }));
  expect([await files(), await countDue(studio)]).toEqual([[], 0]);
});

test('what a refused upload left in the store is removed by the next start', async () => {
  const { images, fails, files } = await openStore();
  const studio = await openTestApp({ database: 'own', images });
  const { token } = await studio.artist();
  const damaged = (await grainy(400, 300).jpeg().toBuffer()).subarray(0, 20_000);
  fails.remove = 2;
  const body = multipart([await aPicture(), damaged]);
  const answer = await studio.call('POST /images/portfolio/upload', { token, multipart: body });
  expect([answer.status, await countDue(studio)]).toEqual([422, 2]);
  studio.sweep();
  await studio.finished();
  expect([await files(), await countDue(studio)]).toEqual([[], 0]);
});

test('a picture that could not be finished is tried again, and the failure passes unheard', async () => {
  const { images, fails } = await openStore();
  const studio = await openTestApp({ database: 'own', images });
  const { token } = await studio.artist();
  fails.read = 2;
  const picture = await upload(studio, token);
  const { sources } = await expectOk(
    studio.call<UploadedImage>(`GET /images/${picture?.id}`, { token }),
  );
  expect(sources.map(({ type }) => type)).toEqual(['image/avif', 'image/webp']);
  expect(studio.logged).toEqual([]);
});

test('a picture that cannot be finished is left to the next start in the end', async () => {
  const { images, fails } = await openStore();
  const studio = await openTestApp({ database: 'own', images });
  const { token } = await studio.artist();
  fails.read = 3;
  const picture = await upload(studio, token);
  expect([fails.read, studio.logged]).toEqual([
    0,
    ['A picture was not finished: Error: The store is down'],
  ]);
  studio.sweep();
  await studio.finished();
  const { sources } = await expectOk(
    studio.call<UploadedImage>(`GET /images/${picture?.id}`, { token }),
  );
  expect(sources).toHaveLength(2);
});
