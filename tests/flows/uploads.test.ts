import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ListPage } from '#contract/common.ts';
import type { UploadedImage } from '#contract/image.ts';
import { loadAllRows } from '#support/app_rows.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { expectOk } from '#support/call_api.ts';
import {
  createFlatPicture,
  createMultipart,
  createNoisyPicture,
  createPicture,
  listStoredFiles,
} from '#support/pictures.ts';
import { NOT_SIGNED_IN, validationMessages, validationProblem } from '#support/problems.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

const MEGABYTE = 1024 * 1024;
const HUNDRED_MEGAPIXELS = await createFlatPicture(10_000, 10_000).webp({ effort: 0 }).toBuffer();
const TRUNCATED_JPEG = (await createNoisyPicture(400, 300).jpeg().toBuffer()).subarray(0, 20_000);
const DAMAGED = 'This picture is damaged and cannot be read';
const DAMAGED_FILE = validationProblem(['body', 'file'], DAMAGED);

const NOT_A_PICTURE = {
  status: 415,
  body: { detail: 'Only JPEG, PNG, WebP and AVIF pictures can be used' },
};
const TOO_HEAVY = { status: 413, body: { detail: 'A picture may have at most 15 MB' } };
const TOO_MANY_PIXELS = {
  status: 413,
  body: { detail: 'A picture may have at most 50 megapixels' },
};
const TOO_MANY = { status: 413, body: { detail: 'At most 20 pictures can be sent at once' } };

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9"/></svg>';

async function createHalf(format: 'png' | 'webp' | 'avif'): Promise<Buffer> {
  const whole = await createNoisyPicture(300, 300).toFormat(format).toBuffer();
  return whole.subarray(0, whole.length / 2);
}

const REFUSED: [string, Uint8Array | string, object][] = [
  ['a text file with the name of a picture', 'This is not a picture.', NOT_A_PICTURE],
  ['an SVG', SVG, NOT_A_PICTURE],
  ['a GIF', await createFlatPicture(9, 9).gif().toBuffer(), NOT_A_PICTURE],
  ['a truncated JPEG', TRUNCATED_JPEG, DAMAGED_FILE],
  ['a truncated PNG', await createHalf('png'), DAMAGED_FILE],
  ['a truncated WebP', await createHalf('webp'), DAMAGED_FILE],
  ['a truncated AVIF', await createHalf('avif'), DAMAGED_FILE],
  ['a JPEG of three bytes', TRUNCATED_JPEG.subarray(0, 3), DAMAGED_FILE],
  ['a picture of 100 megapixels', HUNDRED_MEGAPIXELS, TOO_MANY_PIXELS],
  ['a file of 20 MB', new Uint8Array(20 * MEGABYTE), TOO_HEAVY],
  ['a file of 15 MB and a byte', new Uint8Array(15 * MEGABYTE + 1), TOO_HEAVY],
  ['an empty file', '', validationProblem(['body', 'file'], 'This file is empty')],
];

test.each(REFUSED)('%s is refused, and nothing is stored', async (_, file, refusal) => {
  const { app, token } = await openArtistApp({ database: 'own' });
  const before = [await listStoredFiles(app), await loadAllRows(app)];
  const multipart = createMultipart([file], { name: 'Swallow' });
  expect(await app.call('POST /designs', { token, multipart })).toMatchObject(refusal);
  expect([await listStoredFiles(app), await loadAllRows(app)]).toEqual(before);
});

test('if one of several pictures is refused, none is stored; a validation error names its index', async () => {
  const { app, token } = await openArtistApp({ database: 'own' });
  const picture = await createPicture();
  const refusals: [Uint8Array | string, object][] = [
    [TRUNCATED_JPEG, validationProblem(['body', 'file', 2], DAMAGED)],
    ['', validationProblem(['body', 'file', 2], 'This file is empty')],
    ['text', NOT_A_PICTURE],
    [new Uint8Array(20 * MEGABYTE), TOO_HEAVY],
    [HUNDRED_MEGAPIXELS, TOO_MANY_PIXELS],
  ];
  const before = [await listStoredFiles(app), await loadAllRows(app)];
  for (const [third, refusal] of refusals)
    expect(await upload(app, token, [picture, picture, third, picture])).toMatchObject(refusal);
  expect([await listStoredFiles(app), await loadAllRows(app)]).toEqual(before);
});

test('one upload may have 20 pictures, but not 21', async () => {
  const { app, token } = await openArtistApp();
  const picture = await createPicture();
  expect(await upload(app, token, Array(60).fill(picture))).toMatchObject(TOO_MANY);
  expect(await upload(app, token, Array(21).fill(picture))).toMatchObject(TOO_MANY);
  expect(await listStoredFiles(app)).toEqual([]);
  const { data, count } = await expectOk(upload(app, token, Array(20).fill(picture)));
  expect([data.length, count]).toEqual([20, 20]);
});

test('a body larger than all allowed pictures is refused with the limits of count and size', async () => {
  const { app, token } = await openArtistApp();
  const headers = {
    'Content-Type': 'multipart/form-data; boundary=x',
    'Content-Length': String(400 * MEGABYTE),
  };
  const response = await app.call('POST /images/portfolio/upload', { token, raw: 'x', headers });
  expect(response).toMatchObject({
    status: 413,
    body: { detail: 'At most 20 pictures of 15 MB each can be sent at once' },
  });
});

test('an upload over the rate limit is read to its end before the 429', async () => {
  const app = await openTestApp({ database: 'own', rateLimit: true });
  const send = (raw: ReadableStream) =>
    app.call('PATCH /users/me/avatar', {
      raw,
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    });
  let read = 0;
  const large = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        read += 1;
        controller.enqueue(new Uint8Array(MEGABYTE));
        if (read === 20) controller.close();
      },
    });
  const few = Array.from({ length: 120 }, () => send(new Blob(['x']).stream()));
  expect(new Set((await Promise.all(few)).map(({ status }) => status))).toEqual(new Set([401]));
  expect((await send(large())).status).toBe(429);
  expect(read).toBe(20);
});

test('missing, surplus and misplaced pictures get a validation error', async () => {
  const { app, token } = await openArtistApp();
  const picture = await createPicture();
  const name = 'Swallow';
  const wrong: [FormData, Record<string, string>][] = [
    [createMultipart([]), { 'body.name': 'Name is required', 'body.file': 'Choose a picture' }],
    [createMultipart([], { name, file: 'text' }), { 'body.file': 'Choose a picture' }],
    [createMultipart([picture, picture], { name }), { 'body.file': 'Send one picture' }],
    [createMultipart([picture], { name, nmae: 'x' }), { 'body.nmae': 'Unknown field' }],
  ];
  for (const [multipart, errors] of wrong)
    expect(validationMessages(await app.call('POST /designs', { token, multipart }))).toEqual(
      errors,
    );
  expect(validationMessages(await upload(app, token, []))).toEqual({
    'body.file': 'Choose at least one picture',
  });
  expect(await listStoredFiles(app)).toEqual([]);
});

test('a file that is not a picture gives 415, even if other fields are invalid', async () => {
  const { app, token } = await openArtistApp();
  const response = await app.call('POST /designs', {
    token,
    multipart: createMultipart(['text']),
  });
  expect(response).toMatchObject(NOT_A_PICTURE);
});

test('an upload by an account that is deleted meanwhile gives 401 and stores nothing', async () => {
  const { app, token, self } = await openArtistApp();
  const form = new Response(createMultipart([await createPicture()], { name: 'Swallow' }));
  const bytes = new Uint8Array(await form.arrayBuffer());
  const raw = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await app.database.deleteFrom('artists').where('id', '=', self.id).execute();
        controller.enqueue(bytes);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { 'Content-Type': form.headers.get('Content-Type') ?? '' };
  const response = await app.call('POST /designs', { token, raw, headers });
  expect(response).toMatchObject(NOT_SIGNED_IN);
  expect(await listStoredFiles(app)).toEqual([]);
});

function upload(app: TestApp, token: string, files: readonly (Uint8Array | string)[]) {
  return app.call<ListPage<UploadedImage>>('POST /images/portfolio/upload', {
    token,
    multipart: createMultipart(files),
  });
}

test('the files of a picture can be read only by our own user', async () => {
  const { app, token } = await openArtistApp();
  await expectOk(upload(app, token, [await createPicture()]));
  const { media, uploads } = app.folders;
  const paths = [media, uploads];
  for (const name of await readdir(media, { recursive: true })) paths.push(join(media, name));
  expect(paths.length).toBeGreaterThan(3);
  for (const path of paths) {
    const stats = await stat(path);
    expect([path, stats.mode & 0o777]).toEqual([path, stats.isDirectory() ? 0o700 : 0o600]);
  }
});
