import { expect, test } from 'vitest';
import { Shutdown } from '#server/shutdown.ts';

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
