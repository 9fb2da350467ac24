import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import type { Design } from '#contract/design.ts';
import { changeDesign, fetchArtist, fetchMe, listAvailableDesigns } from '#contract/endpoints.ts';
import type { UploadedImage } from '#contract/image.ts';
import { listRemovedImages } from '#server/database/removed_images.ts';
import { deleteImageFiles } from '#server/operations/store_images.ts';
import { expectOk } from '#support/call_api.ts';
import { addArtist, addImage } from '#support/database_rows.ts';
import {
  createFlatPicture,
  createMultipart,
  createNoisyPicture,
  createPicture,
  listStoredFiles,
} from '#support/pictures.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

/** Metadata with a location and a copyright. */
const EXIF = {
  IFD0: { Copyright: 'The Studio' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '40/1 42/1 46/1' },
};

/** The latitude as stored in EXIF: degrees, minutes and seconds as fractions, little-endian. */
const LATITUDE = Buffer.from(Uint32Array.of(40, 1, 42, 1, 46, 1).buffer);

test('a rotated photo is stored upright and without its EXIF metadata', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token } = await app.newArtist();
  // Displayed with red above blue; its pixels are stored rotated.
  const upright = await createTwoColours('#c02020', '#2020c0');
  const photo = await sharp(await upright.png().toBuffer())
    .rotate(-90)
    .withMetadata({ orientation: 6 })
    .withExif(EXIF)
    .jpeg({ quality: 100 })
    .toBuffer();
  const sent = await sharp(photo).metadata();
  expect(sent.orientation).toBe(6);
  expect([sent.exif?.includes('The Studio'), sent.exif?.includes(LATITUDE)]).toEqual([true, true]);
  expect([sent.width, sent.height]).toEqual([1500, 900]);

  const image = await addToPortfolio(app, token, photo);
  await app.runJobs();
  expect([image.width, image.height]).toEqual([900, 1500]);
  const files = await listStoredFiles(app);
  expect(files).toEqual(
    [image.id, ...variantsOf(image.id, [320, 640, 900], ['avif', 'webp'])].sort(),
  );
  for (const file of variantsOf(image.id, [320, 640, 900], ['avif', 'webp'])) {
    const bytes = await readFile(join(app.folders.media, file));
    const { exif, iptc, xmp, orientation, width, height } = await sharp(bytes).metadata();
    expect([file, exif, iptc, xmp, orientation ?? 1]).toEqual([
      file,
      undefined,
      undefined,
      undefined,
      1,
    ]);
    expect([bytes.includes('The Studio'), bytes.includes(LATITUDE)]).toEqual([false, false]);
    expect(height / width).toBeCloseTo(1500 / 900, 1);
    const [above, below] = [await colourAt(bytes, 0.25), await colourAt(bytes, 0.75)];
    expect([file, above.r > 150, above.b < 90]).toEqual([file, true, true]);
    expect([file, below.r < 90, below.b > 150]).toEqual([file, true, true]);
  }
});

test('WebP is available with the upload’s response, AVIF once its job has run', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token } = await app.newArtist();
  const image = await addToPortfolio(
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

test('a small picture is not enlarged, and a very tall one is squeezed', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token } = await app.newArtist();
  const small = await addToPortfolio(app, token, await createFlatPicture(90, 60).png().toBuffer());
  expect(small).toMatchObject({ width: 90, height: 60, file_url: `/media/${small.id}/90.webp` });
  const tall = await addToPortfolio(
    app,
    token,
    await createFlatPicture(3, 16_000).png().toBuffer(),
  );
  expect(tall).toMatchObject({ width: 3, height: 8000 });
});

test('the placeholder is a tiny WebP, and a transparent picture has none', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token } = await app.newArtist();
  const { placeholder } = await addToPortfolio(
    app,
    token,
    await createNoisyPicture(800, 400).jpeg().toBuffer(),
  );
  expect(placeholder?.length).toBeLessThan(400);
  const bytes = Buffer.from(placeholder?.split(',')[1] ?? '', 'base64');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 16, height: 8 });
  const background = { r: 0, g: 0, b: 0, alpha: 0.5 };
  const glass = sharp({ create: { width: 90, height: 60, channels: 4, background } });
  const transparent = await addToPortfolio(app, token, await glass.png().toBuffer());
  expect(transparent.placeholder).toBeNull();
  const opaque = await addToPortfolio(
    app,
    token,
    await createFlatPicture(90, 60).ensureAlpha().png().toBuffer(),
  );
  expect(opaque.placeholder).toMatch(/^data:image\/webp;base64,/);
});

test('a picture that fails to convert does not block the others', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token } = await app.newArtist();
  const [lost, other] = [
    await addToPortfolio(app, token, await createPicture()),
    await addToPortfolio(app, token, await createPicture()),
  ];
  await app.runJobs();
  await app.database
    .updateTable('images')
    .set({ formats: ['webp'] })
    .execute();
  await rm(join(app.folders.media, lost.id), { recursive: true });
  await app.enqueueMissingAvif();
  await app.runJobs();
  const read = async ({ id }: UploadedImage) =>
    (await expectOk(app.call<UploadedImage>(`GET /images/${id}`, { token }))).sources.length;
  expect([await read(lost), await read(other)]).toEqual([1, 2]);
  expect(app.logged.join()).toContain(
    `Jobs: Encoding a picture as AVIF failed (trying again): Error: ENOENT`,
  );
});

test('a design is added at the end, and its image title is the description, or else the name', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token, username } = await app.newArtist();
  const first = await addDesign(app, token, { name: ' Swallow ', description: 'In black.' });
  const second = await addDesign(app, token, { name: 'Anchor' });
  expect(first).toMatchObject({
    name: 'Swallow',
    description: 'In black.',
    status: 'available',
    image: { title: 'In black.', width: 60, height: 40 },
  });
  expect(second).toMatchObject({ description: '', image: { title: 'Anchor' } });
  const data = await call(app.http(), listAvailableDesigns, { path: { username } });
  expect(data.data.map(({ id }) => id)).toEqual([first.id, second.id]);
});

test('changing a design updates the title of its image', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token } = await app.newArtist();
  const { id, image } = await addDesign(app, token, { name: 'Swallow', description: 'Old' });
  const change = (json: object) =>
    call(app.http(token), changeDesign, { path: { design_id: id }, body: json });
  expect(await change({ description: 'A swallow in flight' })).toMatchObject({
    name: 'Swallow',
    image: { id: image.id, title: 'A swallow in flight' },
  });
  expect(await change({ description: '', name: 'Bird' })).toMatchObject({
    name: 'Bird',
    image: { title: 'Bird' },
  });
  expect(await change({ status: 'claimed' })).toMatchObject({ name: 'Bird', status: 'claimed' });
  expect(await change({})).toMatchObject({ name: 'Bird', status: 'claimed' });
});

test('a new avatar replaces the previous one and deletes its files', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token, username } = await app.newArtist();
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
  const app = await openTestApp({ database: 'own' });
  const { token } = await app.newArtist();
  await Promise.all([0, 1, 2, 3].map(() => setAvatar(app, token)));
  await app.runJobs();
  const { avatar_url } = await call(app.http(token), fetchMe);
  const [, , id = ''] = avatar_url?.split('/') ?? [];
  expect(await listStoredFiles(app)).toEqual(
    [id, ...variantsOf(id, [160, 400], ['avif', 'webp'])].sort(),
  );
  expect(await app.database.selectFrom('images').select('id').execute()).toEqual([{ id }]);
});

const LISTS = [
  ['designs', async (app: TestApp, token: string, name: string) => addDesign(app, token, { name })],
  [
    'images',
    async (app: TestApp, token: string) => addToPortfolio(app, token, await createPicture()),
  ],
] as const;

test.each(LISTS)('%s are reordered within the list of one artist', async (list, add) => {
  const app = await openTestApp({ database: 'own' });
  const [{ token }, other] = [await app.newArtist(), await app.newArtist()];
  const others = [await add(app, other.token, 'x'), await add(app, other.token, 'y')];
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) ids.push((await add(app, token, name)).id);
  const move = (from: number, position: number) =>
    expectOk(app.call(`PATCH /${list}/${ids[from]}`, { token, json: { position } }));
  const order = async (artistToken = token) => {
    const path = list === 'designs' ? '/designs' : '/images/portfolio';
    const { data } = await expectOk(
      app.call<ListPage<{ id: string }>>(`GET ${path}`, { token: artistToken }),
    );
    return data.map(({ id }) => 'abcd'[ids.indexOf(id)] ?? id).join('');
  };
  expect(await order()).toBe('abcd');
  await move(3, 0);
  expect(await order()).toBe('dabc');
  await move(0, 2);
  expect(await order()).toBe('dbac');
  await move(1, 1_000_000);
  expect(await order()).toBe('dacb');
  await move(2, 2);
  expect(await order()).toBe('dacb');
  expect(await order(other.token)).toBe(others.map(({ id }) => id).join(''));
});

test('concurrent moves leave every design with a unique position', async () => {
  const app = await openTestApp({ database: 'own' });
  const { token, self } = await app.newArtist();
  const designs = await Promise.all(
    Array.from({ length: 6 }, (_, index) => addDesign(app, token, { name: `${index}` })),
  );
  const moves = designs.flatMap(({ id }, index) =>
    [index, 5 - index, 0].map((position) =>
      app.call(`PATCH /designs/${id}`, { token, json: { position } }),
    ),
  );
  expect(new Set((await Promise.all(moves)).map(({ status }) => status))).toEqual(new Set([200]));
  const rows = await app.database
    .selectFrom('designs')
    .select('position')
    .where('artist_id', '=', self.id)
    .orderBy('position')
    .execute();
  expect(rows.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5]);
});

async function addToPortfolio(
  app: TestApp,
  token: string,
  picture: Buffer,
): Promise<UploadedImage> {
  const { data } = await expectOk(
    app.call<ListPage<UploadedImage>>('POST /images/portfolio/upload', {
      token,
      multipart: createMultipart([picture]),
    }),
  );
  const [image] = data;
  if (!image) throw new Error('The response has no picture');
  return image;
}

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

/** A picture of two colours, one above the other. */
async function createTwoColours(above: string, below: string): Promise<Sharp> {
  const top = await createFlatPicture(900, 750, above).png().toBuffer();
  return createFlatPicture(900, 1500, below).composite([{ input: top, gravity: 'north' }]);
}

/** The colour in the horizontal middle, at a fraction of the height. */
async function colourAt(bytes: Buffer, fraction: number) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const at =
    (Math.floor(info.height * fraction) * info.width + Math.floor(info.width / 2)) * info.channels;
  return { r: data[at] ?? 0, b: data[at + 2] ?? 0 };
}

test('removed files are no longer listed for removal', async () => {
  const { context, files, logs } = await openTestContext();
  const id = crypto.randomUUID();
  const file = { imageId: id, width: 400, format: 'webp' } as const;
  await context.images.put(file, new Uint8Array());
  await deleteImageFiles(context, [id]);
  expect([files.size, logs]).toEqual([0, []]);
  expect(await listRemovedImages(context.database, 10_000)).not.toContain(id);
});

test('the files of an image that has a row are never deleted, even if its insertion seemed to fail', async () => {
  const { context, files, logs } = await openTestContext();
  const { id } = await addImage(context.database, await addArtist(context.database));
  await context.images.put({ imageId: id, width: 400, format: 'webp' }, new Uint8Array());
  await deleteImageFiles(context, [id]);
  expect([[...files.keys()], logs]).toEqual([[`${id}/400.webp`], []]);
  expect(await listRemovedImages(context.database, 10_000)).not.toContain(id);
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
  expect(await listRemovedImages(context.database, 10_000)).toContain(failing);
});
