import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { createDrainableServer, Shutdown } from '#server/shutdown.ts';
import { closeServer, listenOn } from '#support/free_port.ts';

const NO_NOTICE = { noticeMs: 0, limitMs: 10_000 };

test.each([
  ['SIGTERM', 3000],
  ['SIGINT', 0],
] as const)(
  'after %s, proxies get %i ms to notice, and requests in flight ten seconds',
  (reason, noticeMs) => {
    const shutdown = new Shutdown();
    shutdown.begin(reason);
    const { signal, isFailure } = shutdown;
    expect([signal.aborted, signal.reason, isFailure]).toEqual([true, reason, false]);
    expect(shutdown.drainTimes(3)).toEqual({ noticeMs, limitMs: 10_000 });
  },
);

test('an uncaught error gives requests in flight five seconds, and makes also a shutdown that has begun a failure', () => {
  const [failing, stopping] = [new Shutdown(), new Shutdown()];
  failing.fail('uncaught error');
  expect([failing.signal.aborted, failing.isFailure]).toEqual([true, true]);
  expect(failing.drainTimes(3)).toEqual({ noticeMs: 0, limitMs: 5000 });
  stopping.begin('SIGTERM');
  stopping.fail('uncaught error');
  expect([stopping.signal.reason, stopping.isFailure]).toEqual(['SIGTERM', true]);
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
