import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { createDrainableServer, Shutdown } from '#server/shutdown.ts';
import { listenOn } from '#support/free_port.ts';

test('after SIGTERM, requests in flight get ten seconds', () => {
  const shutdown = new Shutdown();
  shutdown.begin('SIGTERM');
  expect([shutdown.signal.aborted, shutdown.signal.reason, shutdown.isFailure]).toEqual([
    true,
    'SIGTERM',
    false,
  ]);
  expect(shutdown.drainTimeoutMs).toBe(10_000);
});

test('after an uncaught error, requests in flight get five seconds, and the shutdown is a failure', () => {
  const shutdown = new Shutdown();
  shutdown.fail('uncaught error');
  expect([shutdown.signal.aborted, shutdown.isFailure, shutdown.drainTimeoutMs]).toEqual([
    true,
    true,
    5000,
  ]);
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
  const drained = drain(10_000);
  client.write('\r\n');
  expect(await text(client)).toMatch(/^HTTP\/1\.1 200.*connection: close.*done$/is);
  await drained;
});
