import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readlink, rename, truncate, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFileHandler } from '#server/http/files.ts';
import { createDiskStore } from '#server/images/disk_store.ts';
import { createLog } from '#server/log/log.ts';
import { openFolder } from '#support/folder.ts';
import { listenForTest } from '#support/listen.ts';
import { responseTo } from '#support/response_to.ts';

const ID = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0a01';
const PATH = `/media/${ID}/640.webp`;

/** A folder of pictures behind a real HTTP server. */
async function openMedia() {
  const folder = await openFolder();
  const logged: string[] = [];
  const log = createLog({ format: 'json', level: 'info' }, { write: (line) => logged.push(line) });
  const serveFile = createFileHandler({
    ...{ imageFolder: folder, site: undefined, findAsset: async () => undefined, log },
  });
  const url = await listenForTest(async (request, response) => {
    if (await serveFile(response, request.url ?? '', { route: '' })) return;
    response.writeHead(404).end();
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
    fetchPath: (path: string, init = {}) => fetch(new URL(path, url), init),
  };
}

test('a picture is sent in full, with its type, can be cached for a year, and is not sent again (304)', async () => {
  const { put, fetchPath } = await openMedia();
  await put(Buffer.alloc(300_000, 7));
  const response = await fetchPath(PATH);
  const { headers } = response;
  expect(response.status).toBe(200);
  expect(headers.get('Content-Type')).toBe('image/webp');
  expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect(headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
  expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.alloc(300_000, 7));
  const head = await fetchPath(PATH, { method: 'HEAD' });
  expect([head.status, head.headers.get('Content-Length')]).toEqual([200, '300000']);
  expect(await head.text()).toBe('');
  const again = await fetchPath(PATH, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test.each([
  `/media/${ID}/320.webp`,
  `/media/${ID}/640.avif`,
  // A folder.
  `/media/${ID}/1280.webp`,
  `/media/${ID}/640.webp.part`,
  `/media/${ID}/`,
  `/media/${ID}`,
  '/media/',
  '/media/%2e%2e/secret-key',
  '/media/../secret-key',
])('%s is not found, and nothing is logged', async (path) => {
  const { folder, put, fetchPath, logged } = await openMedia();
  await put(Buffer.alloc(10));
  await mkdir(join(folder, ID, '1280.webp'));
  expect((await fetchPath(path)).status).toBe(404);
  expect(logged).toEqual([]);
});

test('pictures are not found while their folder is moved away, and are sent again afterwards', async () => {
  const { folder, put, fetchPath } = await openMedia();
  await put(Buffer.alloc(10));
  await rename(folder, `${folder}-moved`);
  expect((await fetchPath(PATH)).status).toBe(404);
  await rename(`${folder}-moved`, folder);
  expect((await fetchPath(PATH)).status).toBe(200);
});

test('a picture that cannot be opened gets 503, is logged once, and does not affect other pictures', async () => {
  const { folder, put, fetchPath, logged } = await openMedia();
  const other = '0b1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0a02';
  await put(Buffer.alloc(10), other);
  await mkdir(join(folder, ID));
  // Opening a socket fails (ENXIO) for every user; root may open files of all owners.
  const socket = createServer().listen(join(folder, ID, '640.webp'));
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const responses = await Promise.all([PATH, PATH, PATH].map((path) => fetchPath(path)));
  expect(responses.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(logged.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      component: 'Media',
      msg: 'Reading an image failed (answered 503)',
      file: PATH,
      err: expect.objectContaining({ code: 'ENXIO' }),
    }),
  ]);
  expect((await fetchPath(`/media/${other}/640.webp`)).status).toBe(200);
});

test('a named pipe gets 404 and an empty file 503, and other pictures are still sent', async () => {
  const { folder, put, fetchPath } = await openMedia();
  const other = '0b1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0a02';
  await put(Buffer.alloc(10), other);
  await put(Buffer.alloc(0));
  execFileSync('mkfifo', [join(folder, ID, '320.webp')]);
  // More pipes than Node has threads for opening files.
  const pipes = await Promise.all([1, 2, 3, 4, 5].map(() => fetchPath(`/media/${ID}/320.webp`)));
  expect(pipes.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect((await fetchPath(PATH)).status).toBe(503);
  expect((await fetchPath(`/media/${other}/640.webp`)).status).toBe(200);
});

test('pipelined requests of one connection open one file at a time', async () => {
  const { folder, put, url, fetchPath } = await openMedia();
  await put(Buffer.alloc(1_000_000));
  const socket = connect(Number(url.port), url.hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(200));
  // A response on another connection shows that the server has received those requests.
  await (await fetchPath(PATH)).arrayBuffer();
  await expect.poll(() => countOpenFiles(folder), { timeout: 20_000 }).toBe(1);
  expect(await countOpenFiles(folder)).toBe(1);
  socket.destroy();
  await expect.poll(() => countOpenFiles(folder), { timeout: 20_000 }).toBe(0);
});

test('a file that shrinks while it is sent closes the connection instead of leaving the client waiting', async () => {
  const { folder, put, url, logged } = await openMedia();
  const size = 32 * 1024 * 1024;
  await put(Buffer.alloc(size));
  const call = get(new URL(PATH, url));
  const response = await responseTo(call);
  // Nothing is read yet, so the server waits for the client with most of the file still to read.
  await truncate(join(folder, ID, '640.webp'), 1024);
  await expect(readAll(response)).rejects.toThrow();
  await expect
    .poll(() => logged, { timeout: 20_000 })
    .toEqual([expect.stringContaining('the connection was closed')]);
});

test('while 200 pictures are deleted under 40 readers, every response is complete or 404', async () => {
  const { folder, put, url, logged } = await openMedia();
  const store = createDiskStore(folder, '');
  const ids = Array.from({ length: 200 }, (_, n) => `${String(n).padStart(8, '0')}${ID.slice(8)}`);
  const bytes = Buffer.alloc(70_000, 1);
  for (const id of ids) await put(bytes, id);
  const statuses: number[] = [];
  const read = async (n: number) => {
    const response = await fetch(new URL(`/media/${ids[n % ids.length]}/640.webp`, url));
    const body = await response.text();
    expect([response.status, body.length]).toEqual(
      response.status === 200 ? [200, bytes.length] : [404, 'Not found'.length],
    );
    statuses.push(response.status);
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

/** Counts the files in a folder that this process has open. */
async function countOpenFiles(folder: string): Promise<number> {
  const numbers = await readdir('/proc/self/fd');
  const paths = await Promise.all(
    numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')),
  );
  return paths.filter((path) => path.startsWith(`${folder}/`)).length;
}

async function readAll(response: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const chunk of response) length += chunk.length;
  return length;
}
