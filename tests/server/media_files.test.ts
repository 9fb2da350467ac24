import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rename,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDiskStore } from '#server/images/disk_store.ts';
import { createMediaHandler } from '#server/media_files.ts';
import { listenForTest } from '#support/listen.ts';
import { responseTo } from '#support/response_to.ts';

const ID = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0a01';
const PATH = `/media/${ID}/640.webp`;

/** A folder of pictures behind a real HTTP server. */
async function openMedia() {
  const folder = await mkdtemp(join(tmpdir(), 'linework-media-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const logged: string[] = [];
  const send = createMediaHandler(folder, (line) => logged.push(line));
  const url = await listenForTest(async (request, response) => {
    const result = await send(request, response, request.url ?? '');
    if (result !== 'sent') response.writeHead(result === 'not_found' ? 404 : 503).end();
  });
  const put = async (bytes: Uint8Array, imageId = ID) => {
    await mkdir(join(folder, imageId), { recursive: true });
    await writeFile(join(folder, imageId, '640.webp'), bytes);
  };
  return {
    folder,
    logged,
    put,
    url,
    ask: (path: string, init = {}) => fetch(new URL(path, url), init),
  };
}

test('a picture is sent whole, with its type, and may be cached for a year', async () => {
  const { put, ask } = await openMedia();
  await put(Buffer.alloc(300_000, 7));
  const answer = await ask(PATH);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Type')).toBe('image/webp');
  expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect(answer.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.alloc(300_000, 7));
});

test('HEAD sends the length of a picture without the picture', async () => {
  const { put, ask } = await openMedia();
  await put(Buffer.alloc(1234));
  const answer = await ask(PATH, { method: 'HEAD' });
  expect([answer.status, answer.headers.get('Content-Length')]).toEqual([200, '1234']);
  expect(await answer.text()).toBe('');
});

test('a browser that has the picture is answered 304', async () => {
  const { put, ask } = await openMedia();
  await put(Buffer.alloc(10));
  const etag = (await ask(PATH)).headers.get('ETag') ?? '';
  const again = await ask(PATH, { headers: { 'If-None-Match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test.each([
  `/media/${ID}/320.webp`,
  `/media/${ID}/640.avif`,
  `/media/${ID}/640.webp.part`,
  `/media/${ID}/`,
  `/media/${ID}`,
  '/media/',
  '/media/%2e%2e/secret-key',
  '/media/../secret-key',
])('%s is not found, and nothing is logged', async (path) => {
  const { put, ask, logged } = await openMedia();
  await put(Buffer.alloc(10));
  expect((await ask(path)).status).toBe(404);
  expect(logged).toEqual([]);
});

test('a folder with the name of a picture is not found', async () => {
  const { folder, ask, logged } = await openMedia();
  await mkdir(join(folder, ID, '640.webp'), { recursive: true });
  expect((await ask(PATH)).status).toBe(404);
  expect(logged).toEqual([]);
});

test('pictures that were moved away are not found, and are sent again once they are back', async () => {
  const { folder, put, ask } = await openMedia();
  await put(Buffer.alloc(10));
  await rename(folder, `${folder}-moved`);
  expect((await ask(PATH)).status).toBe(404);
  await rename(`${folder}-moved`, folder);
  expect((await ask(PATH)).status).toBe(200);
});

test('a picture that cannot be opened is answered 503, logged once, and the others are sent', async () => {
  const { folder, put, ask, logged } = await openMedia();
  const other = '0b1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0a02';
  await put(Buffer.alloc(10), other);
  await mkdir(join(folder, ID));
  // Opening a socket fails (ENXIO) for every user; root may open files of all owners.
  const socket = createServer().listen(join(folder, ID, '640.webp'));
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const answers = await Promise.all([PATH, PATH, PATH].map((path) => ask(path)));
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(logged).toEqual([
    expect.stringMatching(/^Media: reading \/media\/.* failed; answered 503: .*ENXIO/),
  ]);
  expect((await ask(`/media/${other}/640.webp`)).status).toBe(200);
});

test('a named pipe and an empty file are no pictures, and the others are sent', async () => {
  const { folder, put, ask } = await openMedia();
  const other = '0b1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0a02';
  await put(Buffer.alloc(10), other);
  await put(Buffer.alloc(0));
  execFileSync('mkfifo', [join(folder, ID, '320.webp')]);
  // More than the threads that Node opens files with.
  const pipes = await Promise.all([1, 2, 3, 4, 5].map(() => ask(`/media/${ID}/320.webp`)));
  expect(pipes.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect((await ask(PATH)).status).toBe(503);
  expect((await ask(`/media/${other}/640.webp`)).status).toBe(200);
});

test('a client that sends many requests at once over one connection has one file open at a time', async () => {
  const { folder, put, url, ask } = await openMedia();
  await put(Buffer.alloc(1_000_000));
  const socket = connect(Number(url.port), url.hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(200));
  // An answer over another connection says that those requests were taken in.
  await (await ask(PATH)).arrayBuffer();
  await expect.poll(() => filesOpenBelow(folder), { timeout: 20_000 }).toBe(1);
  expect(await filesOpenBelow(folder)).toBe(1);
  socket.destroy();
  await expect.poll(() => filesOpenBelow(folder), { timeout: 20_000 }).toBe(0);
});

test('a file that shrinks while it is sent ends the connection instead of leaving the client waiting', async () => {
  const { folder, put, url, logged } = await openMedia();
  const size = 32 * 1024 * 1024;
  await put(Buffer.alloc(size));
  const call = get(new URL(PATH, url));
  const answer = await responseTo(call);
  // Nothing is read yet, so the server waits for the client with most of the file still to read.
  await truncate(join(folder, ID, '640.webp'), 1024);
  await expect(readAll(answer)).rejects.toThrow();
  await expect
    .poll(() => logged, { timeout: 20_000 })
    .toEqual([expect.stringContaining('the connection was closed')]);
});

test('200 pictures are deleted under 40 readers: every answer is whole or an error', async () => {
  const { folder, put, url, logged } = await openMedia();
  const store = createDiskStore(folder, '');
  const ids = Array.from({ length: 200 }, (_, n) => `${String(n).padStart(8, '0')}${ID.slice(8)}`);
  const bytes = Buffer.alloc(70_000, 1);
  for (const id of ids) await put(bytes, id);
  const statuses: number[] = [];
  const read = async (n: number) => {
    const answer = await fetch(new URL(`/media/${ids[n % ids.length]}/640.webp`, url));
    const body = await answer.arrayBuffer();
    expect([answer.status, body.byteLength]).toEqual(
      answer.status === 200 ? [200, bytes.length] : [404, 0],
    );
    statuses.push(answer.status);
  };
  const readAround = async (reader: number) => {
    for (let n = 0; n < 10; n += 1) await read(20 * n + (reader % 20));
  };
  const deleteAll = async () => {
    for (const id of ids) await store.remove(id);
  };
  await read(0);
  await Promise.all([
    deleteAll(),
    ...Array.from({ length: 40 }, (_, reader) => readAround(reader)),
  ]);
  await read(0);
  expect(statuses).toHaveLength(402);
  expect(statuses).toContain(200);
  expect(statuses.at(-1)).toBe(404);
  expect(logged).toEqual([]);
});

/** How many files below a folder this process has open. */
async function filesOpenBelow(folder: string): Promise<number> {
  const numbers = await readdir('/proc/self/fd');
  const paths = await Promise.all(
    numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')),
  );
  return paths.filter((path) => path.startsWith(`${folder}/`)).length;
}

async function readAll(answer: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const chunk of answer) length += chunk.length;
  return length;
}
