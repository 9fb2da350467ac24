import fs from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { Refusal } from '#domain/refusal.ts';
import { InvalidRequest } from '#server/api/input.ts';
import { drainBody, receiveMultipart } from '#server/api/multipart.ts';
import type { UploadedFile } from '#server/operations/catalogue/store_images.ts';
import { createUploadSpace } from '#server/upload_space.ts';
import { openFolder } from '#support/folder.ts';

const MEGABYTE = 1024 * 1024;
const END = '--x--\r\n';
const SPACE_LIMITS = [{ counted: 'ofAll', most: 1000 }] as const;
const ARTIST = { id: 'artist', isEmailProven: true };
const FAKED_TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
const BROKEN = 'Invalid request';

test.each(['application/json', 'multipart/mixed; boundary=x'])(
  'a body of the type %s is refused at once, and gives its reservation back',
  async (type) => {
    const release = vi.fn();
    const headers = { 'Content-Type': type };
    const request = new Request('http://linework.test/', { method: 'POST', body: '{}', headers });
    const options = { imageCount: 'one', uploadFolder: FOLDER } as const;
    {
      await using cleanup = new AsyncDisposableStack();
      const reservation = { add: () => {}, release };
      const receiving = receiveMultipart(request, { ...options, reservation, cleanup });
      await expect(receiving).rejects.toMatchObject({ reason: 'wrong_media_type' });
    }
    expect(release).toHaveBeenCalledOnce();
  },
);

test('draining a body stops after a timeout when the client stalls', async () => {
  const start = (controller: ReadableStreamDefaultController) =>
    controller.enqueue(new Uint8Array(9));
  const request = createRequest(new ReadableStream({ start }));
  await drainBody(request, 20);
  // The lock on the body was released.
  expect(request.body?.locked).toBe(false);
});

const BODY = `${textPart('name', 'Swallow')}${filePart('file', 'a\r\n--y\r\n-\r\r\n--\r\n')}${textPart('note', '')}${filePart('file', '')}${END}`;
const FIELDS = { name: 'Swallow', file: ['a\r\n--y\r\n-\r\r\n--\r\n', ''], note: '' };

test('a body gives the same fields wherever its chunks are divided', async () => {
  expect(await receive([BODY])).toEqual(FIELDS);
  for (let at = 1; at < BODY.length; at += 1)
    expect([at, await receive([BODY.slice(0, at), BODY.slice(at)])]).toEqual([at, FIELDS]);
  expect(await receive([...BODY])).toEqual(FIELDS);
});

test('a body that ends anywhere before its last boundary is refused as malformed', async () => {
  const end = BODY.lastIndexOf(END) + END.length - '\r\n'.length;
  for (let at = 0; at < end; at += 1)
    expect([at, await receive([BODY.slice(0, at)])]).toEqual([at, BROKEN]);
  expect(await receive([BODY.slice(0, end)])).toEqual(FIELDS);
});

test.each([
  ['text before the first boundary', `preamble\r\n${textPart('a', '1')}${END}`, { a: '1' }],
  ['text after the last boundary', `${textPart('a', '1')}${END}epilogue`, { a: '1' }],
  ['two texts of one name', `${textPart('a', '1')}${textPart('a', '2')}${END}`, { a: '2' }],
  [
    'a text and a file of one name',
    `${filePart('a', '1')}${textPart('a', '2')}${END}`,
    { a: ['1'] },
  ],
  ['a file without a content type', `${filePart('a', '1', { type: '' })}${END}`, { a: ['1'] }],
  [
    'a path as the file name',
    `${filePart('a', '1', { fileName: '../../a.png' })}${END}`,
    { a: ['1'] },
  ],
  [
    'a multipart body in a part',
    `${textPart('a', `--y\r\n\r\n1\r\n--y--`)}${END}`,
    { a: '--y\r\n\r\n1\r\n--y--' },
  ],
  [
    'a part without Content-Disposition',
    `--x\r\nX-A: 1\r\n\r\n1\r\n${textPart('a', '1')}${END}`,
    { a: '1' },
  ],
  ['no part', END, {}],
])('a body with %s is received', async (_, body, fields) => {
  expect(await receive([body])).toEqual(fields);
});

test('names of properties that every object has are fields like others', async () => {
  const body = `${textPart('__proto__', '1')}${filePart('toString', '2')}${END}`;
  const fields = await receive([body]);
  expect(Object.entries(fields)).toEqual([
    ['__proto__', '1'],
    ['toString', ['2']],
  ]);
});

test.each([
  ['line breaks without CR', `${textPart('a', '1')}${END}`.replaceAll('\r\n', '\n'), BROKEN],
  ['a text without a name', '--x\r\nContent-Disposition: form-data\r\n\r\n1\r\n--x--', BROKEN],
  ['a text over 64 KB', `${textPart('a', 'x'.repeat(64 * 1024 + 1))}${END}`, 'body_too_large'],
  ['21 texts', `${textPart('a', '1').repeat(21)}${END}`, 'body_too_large'],
  ['thousands of texts', `${textPart('a', '1').repeat(5000)}${END}`, 'body_too_large'],
  ['thousands of files', `${filePart('a', '1').repeat(5000)}${END}`, 'too_many_pictures'],
  ['a file over 15 MB', `${filePart('a', 'x'.repeat(15 * MEGABYTE + 1))}${END}`, 'file_too_large'],
  ['a file that never ends', filePart('a', 'x'.repeat(20 * MEGABYTE)), 'file_too_large'],
])('a body with %s is refused', async (_, body, refusal) => {
  expect(await receive([body])).toBe(refusal);
  expect(await receive(divide(body, 16 * 1024))).toBe(refusal);
});

test.each([
  ['name', textPart('caf\xe9', '1')],
  ['text', textPart('a', 'caf\xe9')],
])('a body with a %s that is not UTF-8 is refused', async (_, part) => {
  expect(await receive([Buffer.from(`${part}${END}`, 'latin1')])).toBe(BROKEN);
});

test('texts of 64 KB, and files of 15 MB, are received whole', async () => {
  const text = 'x'.repeat(64 * 1024);
  const file = 'y'.repeat(15 * MEGABYTE);
  const fields = await receive(
    divide(`${textPart('a', text)}${filePart('b', file)}${END}`, 100_000),
  );
  expect(fields).toHaveProperty('a', text);
  expect(fields).toHaveProperty('b.0.length', file.length);
});

test('the header of a part is cut after 8 KB', async () => {
  const fields = await receive(
    divide(`${textPart('n'.repeat(5 * MEGABYTE), '1')}${END}`, 64 * 1024),
  );
  expect(Object.keys(fields)[0]?.length).toBeLessThan(8 * 1024);
});

test('a slow disk slows the upload down, and an error of the disk ends it', async () => {
  const callbacks: unknown[] = [];
  const hold = (...args: unknown[]) => void callbacks.push(args.at(-1));
  vi.spyOn(fs, 'write').mockImplementation(hold);
  vi.spyOn(fs, 'writev').mockImplementation(hold);
  onTestFinished(() => void vi.restoreAllMocks());
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(filePart('file', ''))),
    pull(controller) {
      sent += 64 * 1024;
      controller.enqueue(new Uint8Array(64 * 1024));
    },
  });
  const received = receive([], { body: endless });
  await vi.waitFor(() => expect(callbacks).toHaveLength(1));
  // The body would be read on within fewer turns of the event loop.
  for (let turn = 0; turn < 1000; turn += 1) await new Promise(setImmediate);
  expect(sent).toBeLessThan(MEGABYTE);
  vi.restoreAllMocks();
  for (const callback of callbacks)
    if (typeof callback === 'function') callback(new Error('The disk is full'));
  await expect(received).rejects.toThrow('The disk is full');
});

test('a body of many parts without headers is refused before all of them are parsed', async () => {
  let chunks = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      chunks += 1;
      controller.enqueue(Buffer.from('--x\r\n\r\n\r\n'.repeat(5000)));
      if (chunks === 100) controller.close();
    },
  });
  expect(await receive([], { body })).toBe('body_too_large');
  expect(chunks).toBeLessThan(10);
});

test('an upload that keeps sending too slowly is refused, also after a fast start, and leaves no files', async () => {
  vi.useFakeTimers({ toFake: [...FAKED_TIMERS] });
  onTestFinished(() => void vi.useRealTimers());
  const folder = await openFolder();
  const space = createUploadSpace(SPACE_LIMITS);
  const upload = openUpload({ folder, space });
  await upload.send(filePart('file', 'x'.repeat(800)));
  vi.advanceTimersByTime(30_000);
  for (let second = 0; second < 29; second += 1) {
    await upload.send('y');
    vi.advanceTimersByTime(1000);
  }
  expect(await readdir(folder)).toHaveLength(1);
  vi.advanceTimersByTime(1000);
  expect(await upload.received).toBe('upload_stalled');
  expect(await readdir(folder)).toEqual([]);
  space.open(ARTIST).add(1000);
});

test('an upload at the minimum rate may last for any time', async () => {
  vi.useFakeTimers({ toFake: [...FAKED_TIMERS] });
  onTestFinished(() => void vi.useRealTimers());
  const upload = openUpload();
  await upload.send(filePart('file', '').slice(0, -2));
  for (let period = 0; period < 20; period += 1) {
    await upload.send('y'.repeat(100));
    vi.advanceTimersByTime(30_000);
  }
  await upload.send(`\r\n${END}`);
  upload.end();
  expect(await upload.received).toEqual({ file: ['y'.repeat(2000)] });
});

test('an upload without space is refused, and leaves no files and no reserved space', async () => {
  const folder = await openFolder();
  const space = createUploadSpace(SPACE_LIMITS);
  const chunks = [filePart('file', 'x'.repeat(500)), 'y'.repeat(700), '\r\n--x--\r\n'];
  expect(await receive(chunks, { folder, space })).toBe('uploads_full');
  expect(await readdir(folder)).toEqual([]);
  space.open(ARTIST).add(1000);
});

function textPart(name: string, text: string): string {
  return `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
}

function filePart(
  name: string,
  text: string,
  { type = '\r\nContent-Type: image/png', fileName = 'a.png' } = {},
): string {
  const disposition = `form-data; name="${name}"; filename="${fileName}"`;
  return `--x\r\nContent-Disposition: ${disposition}${type}\r\n\r\n${text}\r\n`;
}

function divide(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}

const FOLDER = await mkdtemp(join(tmpdir(), 'linework-multipart-'));
afterAll(() => rm(FOLDER, { recursive: true }));

/** An upload of which at least 100 bytes must arrive in each 30 seconds. */
function openUpload({ folder = FOLDER, space = createUploadSpace() } = {}) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const received = receive([], {
    body: readable,
    folder,
    space,
    minRate: { bytes: 100, periodMs: 30_000 },
  });
  return {
    received,
    /** Resolves when the receiver has counted the text. */
    async send(text: string) {
      await writer.write(Buffer.from(text));
      await new Promise(setImmediate);
    },
    end: () => void writer.close(),
  };
}

/** The fields of a body that arrives in these chunks, with the text of each file; or the refusal. */
async function receive(
  chunks: readonly (string | Uint8Array)[],
  {
    body = toStream(chunks),
    folder = FOLDER,
    space = createUploadSpace(),
    minRate = { bytes: 1, periodMs: 10_000 },
  } = {},
): Promise<Record<string, string | string[]> | string> {
  await using cleanup = new AsyncDisposableStack();
  try {
    const fields = await receiveMultipart(createRequest(body), {
      imageCount: 'one',
      uploadFolder: folder,
      reservation: space.open(ARTIST),
      cleanup,
      ...(minRate && { minRate }),
    });
    const entries = Object.entries(fields).map(async ([name, field]) => [
      name,
      typeof field === 'string' ? field : await Promise.all(field.map(readUploadedFile)),
    ]);
    return Object.fromEntries(await Promise.all(entries));
  } catch (error) {
    if (error instanceof Refusal || error instanceof InvalidRequest) return error.message;
    throw error;
  }
}

async function readUploadedFile({ path, byteCount }: UploadedFile): Promise<string> {
  const bytes = await readFile(path);
  expect(byteCount).toBe(bytes.length);
  return bytes.toString();
}

function toStream(chunks: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Uint8Array.from(Buffer.from(chunk)));
      controller.close();
    },
  });
}

function createRequest(body: ReadableStream<Uint8Array>): Request {
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
  // Node requires `duplex` when the body is a stream.
  const init = { method: 'POST', body, headers, duplex: 'half' };
  return new Request('http://linework.test/', init);
}
