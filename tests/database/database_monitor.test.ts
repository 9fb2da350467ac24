import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { monitorDatabase } from '#server/database/database_monitor.ts';
import { openDatabaseProxy } from '#support/database_proxy.ts';
import { closeServer, listenOn } from '#support/free_port.ts';
import { recordLog } from '#support/recorded_log.ts';
import { openTestApp } from '#support/test_app.ts';

/** What the monitor notices, in order, and its log. */
function monitor(url: string, isNeeded = () => true) {
  const events: string[] = [];
  const logged: string[] = [];
  const { stop } = monitorDatabase({
    url,
    onHang: () => events.push('hang'),
    onEnd: () => events.push('end'),
    isNeeded,
    log: recordLog(logged),
    intervalMs: 10,
    timeoutMs: 2000,
  });
  onTestFinished(stop);
  return { events, logged };
}

const POLL = { timeout: 30_000 };

test('a database that stops to answer hangs, until it answers again', async () => {
  const proxy = await openDatabaseProxy((await openTestApp()).databaseUrl);
  const { events, logged } = monitor(proxy.url);
  await expect.poll(proxy.answers, POLL).toBeGreaterThan(0);
  proxy.freeze();
  await expect.poll(() => events, POLL).toEqual(['hang']);
  proxy.thaw();
  await expect.poll(() => events, POLL).toEqual(['hang', 'end']);
  expect(logged).toEqual([
    expect.stringContaining('The database hangs'),
    expect.stringContaining('The database answers again'),
  ]);
});

test('a database is not asked while nothing needs it, and its hang is noticed as soon as something does', async () => {
  const proxy = await openDatabaseProxy((await openTestApp()).databaseUrl);
  proxy.freeze();
  const isNeeded = vi.fn(() => false);
  const { events } = monitor(proxy.url, isNeeded);
  await expect.poll(() => isNeeded.mock.calls.length, POLL).toBeGreaterThan(5);
  expect([proxy.connections(), events]).toEqual([0, []]);
  isNeeded.mockReturnValue(true);
  await expect.poll(() => events, POLL).toEqual(['hang']);
  // Nothing needs the database while work is refused, but the end of the hang must be noticed.
  isNeeded.mockReturnValue(false);
  proxy.thaw();
  await expect.poll(() => events, POLL).toEqual(['hang', 'end']);
});

test('a database that refuses connections does not hang: each call notices that at once', async () => {
  const accepted = vi.fn();
  const server = createServer((socket) => {
    accepted();
    socket.destroy();
  });
  const port = await listenOn(server);
  onTestFinished(() => closeServer(server));
  const { events } = monitor(`postgresql://nobody@127.0.0.1:${port}/nothing`);
  await expect.poll(() => accepted.mock.calls.length, POLL).toBeGreaterThan(4);
  expect(events).toEqual([]);
});

test('a hang ends when the database refuses connections', async () => {
  const proxy = await openDatabaseProxy((await openTestApp()).databaseUrl);
  const { events, logged } = monitor(proxy.url);
  proxy.freeze();
  await expect.poll(() => events, POLL).toEqual(['hang']);
  await proxy.close();
  await expect.poll(() => events, POLL).toEqual(['hang', 'end']);
  expect(logged.at(-1)).toContain('The database refuses connections');
});

test('a single connection that is lost without a sign is not a hang', async () => {
  const proxy = await openDatabaseProxy((await openTestApp()).databaseUrl);
  const { events } = monitor(proxy.url);
  await expect.poll(proxy.answers, POLL).toBeGreaterThan(0);
  proxy.freeze({ onlyOpen: true });
  await expect.poll(proxy.connections, POLL).toBe(2);
  const earlier = proxy.answers();
  await expect.poll(proxy.answers, POLL).toBeGreaterThan(earlier + 1);
  expect(events).toEqual([]);
});
