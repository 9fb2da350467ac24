import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import { deleteImage, listOwnPortfolio } from '#contract/endpoints.ts';
import type { UploadedImage } from '#contract/image.ts';
import type { ImageStore } from '#server/images/image_store.ts';
import { createS3ExportStore, createS3Store, ensureBucket } from '#server/images/s3_store.ts';
import { readConfig } from '#server/settings/config.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { serveBucket } from '#support/bucket.ts';
import { expectOk } from '#support/call_api.ts';
import { openFolder } from '#support/folder.ts';
import {
  createFlatPicture,
  createMultipart,
  createPicture,
  listStoredFiles,
  uploadPicture,
} from '#support/pictures.ts';
import { UNAVAILABLE } from '#support/problems.ts';

const ID = '6d3f7f0e-6e66-4f0b-9a55-0d2b8c1f7a11';

/** A new bucket on a fake S3 server, until the test ends. */
async function openBucket() {
  const { endpoint, settings, close } = await serveBucket();
  const { bucket } = readConfig(settings);
  if (!bucket) throw new Error('The bucket is not set');
  return { endpoint, bucket, store: createS3Store(bucket), close };
}

test('a stored file can be read by the server and fetched at its URL', async () => {
  const { endpoint, store } = await openBucket();
  const bytes = new Uint8Array(await createFlatPicture(40, 30).webp().toBuffer());
  const file = { imageId: ID, width: 40, format: 'webp' } as const;
  await store.put(file, bytes);
  await store.put(file, bytes);
  expect(Buffer.from(await store.read(file))).toEqual(Buffer.from(bytes));
  expect(store.urlOf(file)).toBe(`${endpoint}/pictures/${ID}/40.webp`);
  const response = await fetch(store.urlOf(file));
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('image/webp');
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(bytes));
});

test('a missing bucket is created, and an existing one is left unchanged', async () => {
  const { bucket, close } = await openBucket();
  const other = { ...bucket, name: 'flash' };
  const file = { imageId: ID, width: 40, format: 'webp' } as const;
  const store = createS3Store(other);
  await expect(store.put(file, new Uint8Array([1]))).rejects.toThrow();
  expect(await ensureBucket(other)).toBe(true);
  await store.put(file, new Uint8Array([1]));
  expect(await ensureBucket(other)).toBe(false);
  expect(Buffer.from(await store.read(file))).toEqual(Buffer.from([1]));
  await close();
  await expect(ensureBucket(other)).rejects.toThrow('ECONNREFUSED');
});

test('removing an image removes all of its files and no other', async () => {
  const { store } = await openBucket();
  const other = ID.replace(/1$/, '2');
  const bytes = new Uint8Array(await createPicture());
  for (const width of [320, 640]) {
    await store.put({ imageId: ID, width, format: 'webp' }, bytes);
    await store.put({ imageId: ID, width, format: 'avif' }, bytes);
    await store.put({ imageId: other, width, format: 'webp' }, bytes);
  }
  await store.remove(ID);
  await store.remove(ID);
  for (const width of [320, 640]) {
    expect(await statusOf(store, ID, width)).toBe(404);
    expect(await statusOf(store, other, width)).toBe(200);
  }
  await expect(store.read({ imageId: ID, width: 320, format: 'avif' })).rejects.toThrow();
});

test('an uploaded picture is stored, converted and deleted in the bucket', async () => {
  const { endpoint, store } = await openBucket();
  const { app, token } = await openArtistApp({ database: 'own', images: store });
  const picture = await createFlatPicture(500, 300).jpeg().toBuffer();
  const { id, file_url } = await uploadPicture(app, token, picture);
  expect(file_url).toBe(`${endpoint}/pictures/${id}/500.webp`);
  await app.runJobs();
  const { sources } = await expectOk(app.call<UploadedImage>(`GET /images/${id}`, { token }));
  const urls = sources
    .flatMap(({ srcset }) => srcset.split(', '))
    .map((source) => source.split(' ')[0]);
  expect(urls).toHaveLength(4);
  for (const url of urls) expect((await fetch(url ?? '')).status).toBe(200);
  expect(await listStoredFiles(app)).toEqual([]);
  await call(app.http(token), deleteImage, { path: { image_id: id } });
  for (const url of urls) expect((await fetch(url ?? '')).status).toBe(404);
});

test('while the bucket is down uploads are refused as unavailable, and deletions succeed', async () => {
  const { store, close } = await openBucket();
  const { app, token } = await openArtistApp({ database: 'own', images: store });
  const { id } = await uploadPicture(app, token);
  await app.runJobs();
  await close();
  const multipart = createMultipart([await createPicture()]);
  const refused = app.call('POST /images/portfolio/upload', { token, multipart });
  expect(await refused).toMatchObject(UNAVAILABLE);
  const { count } = await call(app.http(token), listOwnPortfolio);
  expect(count).toBe(1);
  expect((await app.call(`DELETE /images/${id}`, { token })).status).toBe(204);
  expect(app.logged.join('\n')).toMatch(/Deleting the files/);
});

test('S3_PUBLIC_URL replaces the address of the bucket in picture URLs', () => {
  const settings = {
    S3_ENDPOINT: 'https://s3.example.com',
    S3_BUCKET: 'pictures',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
    S3_PUBLIC_URL: 'https://cdn.example.com/',
  };
  const { bucket } = readConfig(settings);
  if (!bucket) throw new Error('The bucket is not set');
  const url = createS3Store(bucket).urlOf({ imageId: ID, width: 320, format: 'avif' });
  expect(url).toBe(`https://cdn.example.com/${ID}/320.avif`);
});

async function statusOf(store: ImageStore, imageId: string, width: number): Promise<number> {
  return (await fetch(store.urlOf({ imageId, width, format: 'webp' }))).status;
}

test('an export is stored under its secret name, read in parts, and removed', async () => {
  const { bucket } = await openBucket();
  const store = createS3ExportStore(bucket);
  const folder = await openFolder();
  const path = join(folder, 'export.zip');
  const bytes = crypto.getRandomValues(Buffer.alloc(60_000));
  await writeFile(path, bytes);
  await store.put(ID, path);
  expect(Buffer.concat(await Array.fromAsync(store.read(ID)))).toEqual(bytes);
  await store.remove(ID);
  await store.remove(ID);
  await expect(Array.fromAsync(store.read(ID))).rejects.toThrow();
});
