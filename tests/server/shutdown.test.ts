import { expect, test } from 'vitest';
import { Shutdown } from '#server/shutdown.ts';

test('requests in flight get ten seconds when the server is asked to stop', () => {
  const end = new Shutdown();
  end.begin('SIGTERM');
  expect([end.signal.aborted, end.signal.reason, end.isFailure]).toEqual([true, 'SIGTERM', false]);
  expect(end.drainTimeoutMs).toBe(10_000);
});

test('requests in flight get five seconds after an uncaught error, and the end is a failure', () => {
  const end = new Shutdown();
  end.fail('uncaught error');
  expect([end.signal.aborted, end.isFailure, end.drainTimeoutMs]).toEqual([true, true, 5000]);
});

test('an uncaught error while the server stops makes the end a failure; the first reason stays', () => {
  const end = new Shutdown();
  end.begin('SIGTERM');
  end.fail('uncaught error');
  expect([end.signal.reason, end.isFailure]).toEqual(['SIGTERM', true]);
});
