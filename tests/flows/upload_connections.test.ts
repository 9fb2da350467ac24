import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { openArtistApp } from '#support/artist_app.ts';
import { createMultipart, createPicture, listStoredFiles } from '#support/pictures.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

const MEGABYTE = 1024 * 1024;
const REQUEST_ID = expect.stringMatching(/^[0-9a-f]{10}-[0-9a-z]+$/);
const TOO_HEAVY = {
  ...{ detail: 'A picture may have at most 15 MB', reason: 'file_too_large' },
  request_id: REQUEST_ID,
};

/** Serves the API on a port; returns the URL of an upload. */
async function serveUpload(app: TestApp): Promise<URL> {
  return new URL('/api/v1/users/me/avatar', await app.serve());
}

test('a file of 20 MB gets a readable 413, and later uploads succeed', async () => {
  const { app, token } = await openArtistApp();
  const url = await serveUpload(app);
  const headers = { Authorization: `Bearer ${token}` };
  const body = createMultipart([new Uint8Array(20 * MEGABYTE)]);
  const response = await fetch(url, { method: 'PATCH', headers, body });
  expect(response.status).toBe(413);
  expect(await response.json()).toEqual(TOO_HEAVY);
  const accepted = await fetch(url, {
    method: 'PATCH',
    headers,
    body: createMultipart([await createPicture()]),
  });
  expect(accepted.status).toBe(200);
  expect(app.logged).toEqual([]);
});

test('a chunked upload of 20 MB, without Content-Length, gets a readable 413', async () => {
  const { app, token } = await openArtistApp();
  const call = request(await serveUpload(app), {
    method: 'PATCH',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'multipart/form-data; boundary=x',
    },
  });
  const responded = once(call, 'response');
  call.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n');
  for (let sent = 0; sent < 20; sent += 1)
    if (!call.write(Buffer.alloc(MEGABYTE))) await once(call, 'drain');
  call.end('\r\n--x--\r\n');
  const [response] = await responded;
  expect(response.statusCode).toBe(413);
  expect(await json(response)).toEqual(TOO_HEAVY);
  expect(await listStoredFiles(app)).toEqual([]);
});

test('a large upload without a token gets a readable 401', async () => {
  const app = await openTestApp();
  const url = await serveUpload(app);
  const body = createMultipart([new Uint8Array(20 * MEGABYTE)]);
  const response = await fetch(url, { method: 'PATCH', body });
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({
    ...{ detail: 'Please log in', reason: 'not_signed_in' },
    request_id: REQUEST_ID,
  });
});

test('a client that disconnects during an upload leaves no files', async () => {
  const { app, token } = await openArtistApp();
  const url = await serveUpload(app);
  const socket = connect(Number(url.port), url.hostname);
  socket.write(
    [
      `PATCH ${url.pathname} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${token}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 1000000',
      '',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nthe beginning',
    ].join('\r\n'),
  );
  await vi.waitFor(async () => expect(await listStoredFiles(app)).toHaveLength(2));
  socket.destroy();
  await vi.waitFor(async () => expect(await listStoredFiles(app)).toEqual([]));
  expect(app.logged).toEqual([]);
});
