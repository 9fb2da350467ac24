import { expect, test } from 'vitest';
import { listOwnDesigns } from '#client/designs.ts';
import type { ListPage } from '#contract/common.ts';
import type { Design } from '#contract/design.ts';
import type { UploadedImage } from '#contract/image.ts';
import {
  complaints,
  invalid,
  NOT_SIGNED_IN,
  TOO_LARGE,
  WRONG_MEDIA_TYPE,
} from '#support/answers.ts';
import { expectOk } from '#support/calls.ts';
import { aPicture, flat, grainy, keptFiles, multipart } from '#support/pictures.ts';
import { readEverything } from '#support/rows.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

const MEGABYTE = 1024 * 1024;
const HUNDRED_MEGAPIXELS = await flat(10_000, 10_000).webp({ effort: 0 }).toBuffer();
const TRUNCATED_JPEG = (await grainy(400, 300).jpeg().toBuffer()).subarray(0, 20_000);
const DAMAGED = 'This picture is damaged and cannot be read';

const NOT_A_PICTURE = {
  status: 415,
  body: { detail: 'Only JPEG, PNG, WebP and AVIF pictures can be used' },
};
const TOO_HEAVY = { status: 413, body: { detail: 'A picture may have at most 15 MB' } };
const TOO_LARGE_A_PICTURE = {
  status: 413,
  body: { detail: 'A picture may have at most 50 megapixels' },
};
const TOO_MANY = { status: 413, body: { detail: 'At most 20 pictures can be sent at once' } };

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9"/></svg>';

const REFUSED: [string, Uint8Array | string, object][] = [
  ['a text file with a name of a picture', 'This is not a picture.', NOT_A_PICTURE],
  ['an SVG', SVG, NOT_A_PICTURE],
  ['a GIF', await flat(9, 9).gif().toBuffer(), NOT_A_PICTURE],
  ['a truncated JPEG', TRUNCATED_JPEG, invalid(['body', 'file'], DAMAGED)],
  ['a JPEG of three bytes', TRUNCATED_JPEG.subarray(0, 3), invalid(['body', 'file'], DAMAGED)],
  ['a picture of 100 megapixels', HUNDRED_MEGAPIXELS, TOO_LARGE_A_PICTURE],
  ['a file of 20 MB', new Uint8Array(20 * MEGABYTE), TOO_HEAVY],
  ['a file of 15 MB and a byte', new Uint8Array(15 * MEGABYTE + 1), TOO_HEAVY],
  ['an empty file', '', invalid(['body', 'file'], 'This file is empty')],
];

/** The calls that take one picture, with the texts that they need. */
const CALLS: [string, Record<string, string>][] = [
  ['POST /designs', { name: 'Swallow' }],
  ['PATCH /users/me/avatar', {}],
];

for (const [what, texts] of CALLS)
  test.each(REFUSED)(`${what} refuses %s and keeps nothing`, async (_, file, answer) => {
    const studio = await openTestApp({ database: 'own' });
    const { token } = await studio.artist();
    const before = [await keptFiles(studio), await readEverything(studio)];
    const body = multipart([file], texts);
    expect(await studio.call(what, { token, multipart: body })).toMatchObject(answer);
    expect([await keptFiles(studio), await readEverything(studio)]).toEqual(before);
  });

test.each(['png', 'webp', 'avif'] as const)('half a %s is called damaged', async (format) => {
  const studio = await openTestApp();
  const { token } = await studio.artist();
  const whole = await grainy(300, 300).toFormat(format).toBuffer();
  const half = whole.subarray(0, whole.length / 2);
  expect(await upload(studio, token, [half])).toMatchObject(invalid(['body', 'file', 0], DAMAGED));
});

test('of several pictures none is kept when one is refused, and the answer says which', async () => {
  const studio = await openTestApp({ database: 'own' });
  const { token } = await studio.artist();
  const fine = await aPicture();
  const answers: [Uint8Array | string, object][] = [
    [TRUNCATED_JPEG, invalid(['body', 'file', 2], DAMAGED)],
    ['', invalid(['body', 'file', 2], 'This file is empty')],
    ['text', NOT_A_PICTURE],
    [new Uint8Array(20 * MEGABYTE), TOO_HEAVY],
    [HUNDRED_MEGAPIXELS, TOO_LARGE_A_PICTURE],
  ];
  const before = [await keptFiles(studio), await readEverything(studio)];
  for (const [third, answer] of answers)
    expect(await upload(studio, token, [fine, fine, third, fine])).toMatchObject(answer);
  expect([await keptFiles(studio), await readEverything(studio)]).toEqual(before);
});

test('sixty files at once are too many, twenty are not', async () => {
  const studio = await openTestApp();
  const { token } = await studio.artist();
  const fine = await aPicture();
  expect(await upload(studio, token, Array(60).fill(fine))).toMatchObject(TOO_MANY);
  expect(await upload(studio, token, Array(21).fill(fine))).toMatchObject(TOO_MANY);
  expect(await keptFiles(studio)).toEqual([]);
  const { data, count } = await expectOk(upload(studio, token, Array(20).fill(fine)));
  expect([data.length, count]).toEqual([20, 20]);
});

test('a body that is larger than all it may hold is refused before it is kept', async () => {
  const studio = await openTestApp();
  const { token } = await studio.artist();
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += MEGABYTE;
      controller.enqueue(new Uint8Array(MEGABYTE));
    },
  });
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const answer = await studio.call('PATCH /users/me/avatar', { token, raw: endless, headers });
  expect(answer).toMatchObject(TOO_HEAVY);
  expect(sent).toBeLessThan(100 * MEGABYTE);
  expect(await keptFiles(studio)).toEqual([]);
});

test('a body heavier than all pictures together is told how many and how heavy they may be', async () => {
  const studio = await openTestApp();
  const { token } = await studio.artist();
  const headers = {
    'Content-Type': 'multipart/form-data; boundary=x',
    'Content-Length': String(400 * MEGABYTE),
  };
  const answer = await studio.call('POST /images/portfolio/upload', { token, raw: 'x', headers });
  expect(answer).toMatchObject({
    status: 413,
    body: { detail: 'At most 20 pictures of 15 MB each can be sent at once' },
  });
});

test('an upload that is one too many is read to its end before it is told so', async () => {
  const studio = await openTestApp({ database: 'own', rateLimit: true });
  const send = (raw: ReadableStream) =>
    studio.call('PATCH /users/me/avatar', {
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

test('a picture is asked for, and only one where one belongs', async () => {
  const studio = await openTestApp();
  const { token } = await studio.artist();
  const fine = await aPicture();
  const design = (body: FormData) => studio.call('POST /designs', { token, multipart: body });
  expect(complaints(await design(multipart([])))).toEqual({
    'body.name': 'Name is required',
    'body.file': 'Choose a picture',
  });
  expect(complaints(await design(multipart([], { name: 'Swallow', file: 'text' })))).toEqual({
    'body.file': 'Choose a picture',
  });
  expect(complaints(await design(multipart([fine, fine], { name: 'Swallow' })))).toEqual({
    'body.file': 'Send one picture',
  });
  expect(complaints(await design(multipart([fine], { name: 'Swallow', nmae: 'x' })))).toEqual({
    'body.nmae': 'Unknown field',
  });
  expect(complaints(await upload(studio, token, []))).toEqual({
    'body.file': 'Choose at least one picture',
  });
  expect(await keptFiles(studio)).toEqual([]);
});

test('what is no picture is said before what else is wrong', async () => {
  const studio = await openTestApp();
  const { token } = await studio.artist();
  const answer = await studio.call('POST /designs', { token, multipart: multipart(['text']) });
  expect(answer).toMatchObject(NOT_A_PICTURE);
});

test('a body that is not the multipart it says it is, is told so', async () => {
  const studio = await openTestApp();
  const { token } = await studio.artist();
  const send = (raw: string, type: string) =>
    studio.call('POST /designs', { token, raw, headers: { 'Content-Type': type } });
  const broken = invalid(['body'], 'Not valid multipart form data');
  const head = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n';
  for (const raw of [
    '',
    'x',
    '\r\n',
    'nonsense',
    '--x',
    '--x\r\n',
    head,
    `${head}Swallow`,
    `${head}\r\n--y--`,
  ])
    expect([raw, await send(raw, 'multipart/form-data; boundary=x')]).toMatchObject([raw, broken]);
  expect(await send('--x--', 'multipart/form-data')).toMatchObject(broken);
  expect(await send('{}', 'application/json')).toMatchObject(WRONG_MEDIA_TYPE);
  expect(await send('--x--', 'multipart/mixed; boundary=x')).toMatchObject(WRONG_MEDIA_TYPE);
  const nameless = '--x\r\nContent-Disposition: form-data\r\n\r\nSwallow\r\n--x--\r\n';
  expect(await send(nameless, 'multipart/form-data; boundary=x')).toMatchObject(broken);
  const long = `${head}${'x'.repeat(100_000)}\r\n--x--\r\n`;
  expect(await send(long, 'multipart/form-data; boundary=x')).toMatchObject(TOO_LARGE);
  expect(await keptFiles(studio)).toEqual([]);
});

test('a file name that is not UTF-8 is told to be malformed, and nothing is kept', async () => {
  const studio = await openTestApp();
  const { token } = await studio.artist();
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="caf\xe9.png"\r\n\r\n';
  const raw = new Uint8Array(Buffer.from(`${head}bytes\r\n--x--\r\n`, 'latin1'));
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
  expect(await studio.call('PATCH /users/me/avatar', { token, raw, headers })).toMatchObject(
    invalid(['body'], 'Not valid multipart form data'),
  );
  expect(studio.logged).toEqual([]);
  expect(await keptFiles(studio)).toEqual([]);
});

test('nobody uploads without a token', async () => {
  const studio = await openTestApp();
  const body = multipart([await aPicture()]);
  expect(await studio.call('PATCH /users/me/avatar', { multipart: body })).toMatchObject(
    NOT_SIGNED_IN,
  );
  expect(await keptFiles(studio)).toEqual([]);
});

test('a body is taken apart alike wherever it ends within what the server reads at once', async () => {
  const studio = await openTestApp();
  const { token } = await studio.artist();
  // Such files are read 64 KiB at a time; the end is moved across that edge byte by byte.
  const at = 64 * 1024;
  const empty = Buffer.from(body('')).length;
  for (let length = at - empty - 4; length <= at - empty + 4; length += 1) {
    const raw = body('d'.repeat(length));
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const answer = await studio.call('POST /designs', { token, raw, headers });
    expect([length, Object.keys(complaints(answer))]).toEqual([
      length,
      ['body.description', 'body.file'],
    ]);
  }
  function body(description: string): string {
    const part = (name: string, text: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
    return `${part('name', 'Swallow')}${part('description', description)}--x--\r\n`;
  }
});

test('an account that is deleted while a picture is on its way keeps nothing of it', async () => {
  const studio = await openTestApp();
  const { token, self } = await studio.artist();
  const sent = new Response(multipart([await aPicture()], { name: 'Swallow' }));
  const whole = new Uint8Array(await sent.arrayBuffer());
  const raw = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await studio.database.deleteFrom('artists').where('id', '=', self.id).execute();
        controller.enqueue(whole);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { 'Content-Type': sent.headers.get('Content-Type') ?? '' };
  const answer = await studio.call('POST /designs', { token, raw, headers });
  expect(answer).toMatchObject(NOT_SIGNED_IN);
  expect(await keptFiles(studio)).toEqual([]);
});

test('a crowd of uploads is served, and nothing of it stays behind', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const picture = await grainy(200, 160).jpeg().toBuffer();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      studio.call<Design>('POST /designs', {
        token: artist.token,
        multipart: multipart([picture], { name: `Number ${index}` }),
      }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  const { data } = await listOwnDesigns(studio.http(artist.token));
  expect(data.map(({ name }) => name).sort()).toEqual(answers.map(({ body }) => body.name).sort());
  expect((await keptFiles(studio)).filter((file) => /body$/.test(file))).toEqual([]);
});

function upload(studio: TestApp, token: string, files: readonly (Uint8Array | string)[]) {
  return studio.call<ListPage<UploadedImage>>('POST /images/portfolio/upload', {
    token,
    multipart: multipart(files),
  });
}
