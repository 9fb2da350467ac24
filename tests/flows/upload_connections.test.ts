import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createMultipart, createPicture, listStoredFiles } from '#support/pictures.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

const MEGABYTE = 1024 * 1024;
const TOO_HEAVY = { detail: 'A picture may have at most 15 MB' };

/** Serves the API of a studio on a port; answers the address of a call that takes a picture. */
async function serve(app: TestApp): Promise<URL> {
  return new URL('/api/v1/users/me/avatar', await app.serve());
}

test('a file of 20 MB is refused in words, on a connection that goes on', async () => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  const url = await serve(app);
  const headers = { Authorization: `Bearer ${token}` };
  for (let times = 0; times < 3; times += 1) {
    const body = createMultipart([new Uint8Array(20 * MEGABYTE)]);
    const answer = await fetch(url, { method: 'PATCH', headers, body });
    expect([answer.status, await answer.json()]).toEqual([413, TOO_HEAVY]);
  }
  const fine = await fetch(url, {
    method: 'PATCH',
    headers,
    body: createMultipart([await createPicture()]),
  });
  expect(fine.status).toBe(200);
  expect(app.logged).toEqual([]);
});

test('so is one whose length nobody told', async () => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  const call = request(await serve(app), {
    method: 'PATCH',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'multipart/form-data; boundary=x',
    },
  });
  const answered = once(call, 'response');
  call.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n');
  for (let sent = 0; sent < 20; sent += 1)
    if (!call.write(Buffer.alloc(MEGABYTE))) await once(call, 'drain');
  call.end('\r\n--x--\r\n');
  const [response] = await answered;
  expect(response.statusCode).toBe(413);
  expect(JSON.parse(await textOf(response))).toEqual(TOO_HEAVY);
  expect(await listStoredFiles(app)).toEqual([]);
});

test('whoever is not logged in hears so after sending a large file', async () => {
  const app = await openTestApp();
  const url = await serve(app);
  const body = createMultipart([new Uint8Array(20 * MEGABYTE)]);
  const answer = await fetch(url, { method: 'PATCH', body });
  expect([answer.status, await answer.json()]).toEqual([401, { detail: 'Please log in' }]);
});

test('whoever hangs up half way through a file leaves nothing behind', async () => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  const url = await serve(app);
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

async function textOf(response: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
