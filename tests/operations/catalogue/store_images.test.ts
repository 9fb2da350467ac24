import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { Design } from '#contract/design.ts';
import { changeDesign, fetchArtist, fetchMe, listAvailableDesigns } from '#contract/endpoints.ts';
import type { UploadedImage } from '#contract/image.ts';
import type { Database } from '#server/database/connect.ts';
import { deleteImageFiles } from '#server/operations/catalogue/store_images.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { expectOk } from '#support/call_api.ts';
import { addArtist, addImage } from '#support/database_rows.ts';
import {
  createFlatPicture,
  createMultipart,
  createNoisyPicture,
  createPicture,
  listStoredFiles,
  uploadPicture,
} from '#support/pictures.ts';
import type { TestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

/** Metadata with a location and a copyright. */
const EXIF = {
  IFD0: { Copyright: 'The Studio' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '40/1 42/1 46/1' },
};

/** The latitude as stored in EXIF: degrees, minutes and seconds as fractions, little-endian. */
const LATITUDE = Buffer.from(Uint32Array.of(40, 1, 42, 1, 46, 1).buffer);

test('a photo is stored without its EXIF metadata', async () => {
  const { app, token } = await openArtistApp({ database: 'own' });
  const photo = await createFlatPicture(900, 1500).withExif(EXIF).jpeg().toBuffer();
  const { exif: sent } = await sharp(photo).metadata();
  expect([sent?.includes('The Studio'), sent?.includes(LATITUDE)]).toEqual([true, true]);
  const { id } = await uploadPicture(app, token, photo);
  await app.runJobs();
  const variants = variantsOf(id, [320, 640, 900], ['avif', 'webp']);
  expect(await listStoredFiles(app)).toEqual([id, ...variants].sort());
  for (const file of variants) {
    const bytes = await readFile(join(app.folders.media, file));
    const { exif, iptc, xmp } = await sharp(bytes).metadata();
    expect([file, exif, iptc, xmp]).toEqual([file, undefined, undefined, undefined]);
    expect([bytes.includes('The Studio'), bytes.includes(LATITUDE)]).toEqual([false, false]);
  }
});

test('WebP is available with the upload’s response, AVIF once its job has run', async () => {
  const { app, token } = await openArtistApp({ database: 'own' });
  const image = await uploadPicture(
    app,
    token,
    await createNoisyPicture(1300, 700).jpeg().toBuffer(),
  );
  expect(image).toMatchObject({
    file_url: `/media/${image.id}/1200.webp`,
    width: 1200,
    height: 646,
    sources: [{ type: 'image/webp', srcset: srcset(image.id, [320, 640, 1200], 'webp') }],
  });
  await app.runJobs();
  const later = await expectOk(app.call<UploadedImage>(`GET /images/${image.id}`, { token }));
  expect(later).toEqual({
    ...image,
    sources: [
      { type: 'image/avif', srcset: srcset(image.id, [320, 640, 1200], 'avif') },
      { type: 'image/webp', srcset: srcset(image.id, [320, 640, 1200], 'webp') },
    ],
  });
  for (const file of variantsOf(image.id, [320, 640, 1200], ['avif', 'webp'])) {
    const { format, compression, width } = await sharp(join(app.folders.media, file)).metadata();
    const [, fileWidth, extension] = /(\d+)\.(\w+)$/.exec(file) ?? [];
    expect([file, width, compression ?? format]).toEqual([
      file,
      Number(fileWidth),
      extension === 'avif' ? 'av1' : 'webp',
    ]);
  }
});

test('the placeholder is a tiny WebP, and a transparent picture has none', async () => {
  const { app, token } = await openArtistApp({ database: 'own' });
  const { placeholder } = await uploadPicture(
    app,
    token,
    await createNoisyPicture(800, 400).jpeg().toBuffer(),
  );
  expect(placeholder?.length).toBeLessThan(400);
  const bytes = Buffer.from(placeholder?.split(',')[1] ?? '', 'base64');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 16, height: 8 });
  const background = { r: 0, g: 0, b: 0, alpha: 0.5 };
  const glass = sharp({ create: { width: 90, height: 60, channels: 4, background } });
  const transparent = await uploadPicture(app, token, await glass.png().toBuffer());
  expect(transparent.placeholder).toBeNull();
  const opaque = await uploadPicture(
    app,
    token,
    await createFlatPicture(90, 60).ensureAlpha().png().toBuffer(),
  );
  expect(opaque.placeholder).toMatch(/^data:image\/webp;base64,/);
});

test('a design is added at the end; its image has the description as its title, or else the name', async () => {
  const { app, token, username } = await openArtistApp({ database: 'own' });
  const first = await addDesign(app, token, { name: ' Swallow ', description: 'In black.' });
  const second = await addDesign(app, token, { name: 'Anchor' });
  expect(first).toMatchObject({
    ...{ name: 'Swallow', description: 'In black.', status: 'available' },
    image: { title: 'In black.', width: 60, height: 40 },
  });
  expect(second).toMatchObject({ description: '', image: { title: 'Anchor' } });
  const { data } = await call(app.http(), listAvailableDesigns, { path: { username } });
  expect(data.map(({ id }) => id)).toEqual([first.id, second.id]);
  const change = (body: object) =>
    call(app.http(token), changeDesign, { path: { design_id: first.id }, body });
  const [renamed, described] = [await change({ name: 'Bird' }), await change({ description: '' })];
  expect(renamed).toMatchObject({ name: 'Bird', image: { title: 'In black.' } });
  expect(described).toMatchObject({ name: 'Bird', image: { id: first.image.id, title: 'Bird' } });
});

test('a new avatar replaces the previous one and deletes its files', async () => {
  const { app, token, username } = await openArtistApp({ database: 'own' });
  const [first, second] = [await setAvatar(app, token), await setAvatar(app, token)];
  await app.runJobs();
  expect(second).not.toBe(first);
  const read = await call(app.http(), fetchArtist, { path: { username } });
  expect(read.avatar_url).toBe(`/media/${second}/400.webp`);
  expect(read.avatar_sources).toEqual(
    ['avif', 'webp'].map((format) => ({
      type: `image/${format}`,
      srcset: `/media/${second}/160.${format} 160w, /media/${second}/400.${format} 400w`,
    })),
  );
  expect(await listStoredFiles(app)).toEqual(
    [second, ...variantsOf(second, [160, 400], ['avif', 'webp'])].sort(),
  );
});

test('of concurrently uploaded avatars, one remains, with only its files', async () => {
  const { app, token } = await openArtistApp({ database: 'own' });
  await Promise.all([0, 1, 2, 3].map(() => setAvatar(app, token)));
  await app.runJobs();
  const { avatar_url } = await call(app.http(token), fetchMe);
  const [, , id = ''] = avatar_url?.split('/') ?? [];
  expect(await listStoredFiles(app)).toEqual(
    [id, ...variantsOf(id, [160, 400], ['avif', 'webp'])].sort(),
  );
  expect(await app.database.selectFrom('images').select('id').execute()).toEqual([{ id }]);
});

async function addDesign(
  app: TestApp,
  token: string,
  texts: { name: string; description?: string },
): Promise<Design> {
  const body = createMultipart([await createPicture()], texts);
  return expectOk(app.call<Design>('POST /designs', { token, multipart: body }));
}

/** Returns the id of the new avatar. */
async function setAvatar(app: TestApp, token: string): Promise<string> {
  const body = createMultipart([await createFlatPicture(500, 500).png().toBuffer()]);
  const { avatar_url } = await expectOk(
    app.call<CurrentArtist>('PATCH /users/me/avatar', { token, multipart: body }),
  );
  const [, , id] = avatar_url?.split('/') ?? [];
  if (id === undefined) throw new Error('There is no avatar');
  return id;
}

function variantsOf(id: string, widths: readonly number[], formats: readonly string[]): string[] {
  return widths.flatMap((width) => formats.map((format) => `${id}/${width}.${format}`));
}

function srcset(id: string, widths: readonly number[], format: string): string {
  return widths.map((width) => `/media/${id}/${width}.${format} ${width}w`).join(', ');
}

async function isListedForRemoval(database: Database, id: string): Promise<boolean> {
  const removed = database.selectFrom('removed_images').select('id').where('id', '=', id);
  return (await removed.executeTakeFirst()) !== undefined;
}

test('the files of an image that has a row are never deleted, even if its insertion seemed to fail', async () => {
  const { context, files, logs } = await openTestContext();
  const { id } = await addImage(context.database, await addArtist(context.database));
  await context.images.put({ imageId: id, width: 400, format: 'webp' }, new Uint8Array());
  await deleteImageFiles(context, [id]);
  expect([[...files.keys()], logs]).toEqual([[`${id}/400.webp`], []]);
  expect(await isListedForRemoval(context.database, id)).toBe(false);
});

test('files that the store fails to remove are logged and listed for retry, and the next ones are removed', async () => {
  const { context, logs } = await openTestContext();
  const [failing, next] = [crypto.randomUUID(), crypto.randomUUID()];
  const removed: string[] = [];
  const images = {
    ...context.images,
    remove: async (id: string) => {
      if (id === failing) throw new Error('The disk is away');
      removed.push(id);
    },
  };
  await deleteImageFiles({ ...context, images }, [failing, next]);
  expect(removed).toEqual([next]);
  expect(logs).toEqual([
    expect.stringContaining(
      `Images: Deleting the files of an image failed (still public, retried each minute): Error: The disk is away {"image_id":"${failing}"}`,
    ),
  ]);
  expect(await isListedForRemoval(context.database, failing)).toBe(true);
});
