import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { createDrainableServer, Shutdown } from '#server/shutdown.ts';
import { closeServer, listenOn } from '#support/free_port.ts';

const NO_NOTICE = { noticeMs: 0, limitMs: 10_000 };

test('after SIGTERM, proxies get the stop delay to notice, and requests in flight ten seconds', () => {
  const shutdown = new Shutdown();
  shutdown.begin('SIGTERM');
  expect([shutdown.signal.aborted, shutdown.signal.reason, shutdown.isFailure]).toEqual([
    true,
    'SIGTERM',
    false,
  ]);
  expect(shutdown.drainTimes(3)).toEqual({ noticeMs: 3000, limitMs: 10_000 });
});

test('after Ctrl-C (SIGINT) nobody waits for proxies', () => {
  const shutdown = new Shutdown();
  shutdown.begin('SIGINT');
  expect(shutdown.drainTimes(3)).toEqual(NO_NOTICE);
});

test('after an uncaught error, requests in flight get five seconds, and the shutdown is a failure', () => {
  const shutdown = new Shutdown();
  shutdown.fail('uncaught error');
  expect([shutdown.signal.aborted, shutdown.isFailure]).toEqual([true, true]);
  expect(shutdown.drainTimes(3)).toEqual({ noticeMs: 0, limitMs: 5000 });
});

test('an uncaught error during shutdown makes it a failure and keeps the first reason', () => {
  const shutdown = new Shutdown();
  shutdown.begin('SIGTERM');
  shutdown.fail('uncaught error');
  expect([shutdown.signal.reason, shutdown.isFailure]).toEqual(['SIGTERM', true]);
});

test('a request whose head is half sent when the drain begins is answered, with Connection: close', async () => {
  const { server, drain } = createDrainableServer({}, (_request, response) => response.end('done'));
  const port = await listenOn(server);
  const client = connect(port, '127.0.0.1');
  const [connection]: Socket[] = await once(server, 'connection');
  client.write('GET / HTTP/1.1\r\nHost: linework.test\r\n');
  await vi.waitFor(() => expect(connection?.bytesRead).toBeGreaterThan(0));
  const drained = drain(NO_NOTICE);
  client.write('\r\n');
  expect(await text(client)).toMatch(/^HTTP\/1\.1 200.*connection: close.*done$/is);
  await drained;
});

test('a stopping server still accepts connections and serves, but says that it is not ready (/readyz)', async () => {
  const { server, drain } = createDrainableServer({}, (_request, response) => response.end('done'));
  const url = `http://127.0.0.1:${await listenOn(server)}`;
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  drain({ noticeMs: 60_000, limitMs: 10_000 });
  const [readiness, page] = await Promise.all([fetch(`${url}/readyz`), fetch(`${url}/readyzz`)]);
  expect([readiness.status, page.status]).toEqual([503, 200]);
  expect(page.headers.get('connection')).toBe('close');
  await closeServer(server);
});

test('a request that arrives soon after its connection, while the port closes, is answered', async () => {
  const { server, drain } = createDrainableServer({}, (_request, response) => response.end('done'));
  const port = await listenOn(server);
  const client = connect(port, '127.0.0.1');
  await once(server, 'connection');
  const drained = drain(NO_NOTICE);
  await vi.waitUntil(() => !server.listening);
  client.write('POST / HTTP/1.1\r\nHost: linework.test\r\nContent-Length: 0\r\n\r\n');
  expect(await text(client)).toMatch(/^HTTP\/1\.1 200.*done$/is);
  await drained;
});

test('idle connections and those without a request do not delay a drain', async () => {
  const { server, drain } = createDrainableServer({}, (_request, response) => response.end('done'));
  const port = await listenOn(server);
  const idle = connect(port, '127.0.0.1');
  idle.write('GET / HTTP/1.1\r\nHost: linework.test\r\n\r\n');
  await once(idle, 'data');
  const silent = connect(port, '127.0.0.1');
  await once(server, 'connection');
  const startedAt = performance.now();
  await drain(NO_NOTICE);
  expect(performance.now() - startedAt).toBeLessThan(4_000);
  for (const socket of [idle, silent]) socket.destroy();
});
