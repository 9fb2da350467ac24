import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { CdnAdapter } from '#server/cache/cdn/cdn_adapter.ts';
import { createFastlyAdapter } from '#server/cache/cdn/fastly.ts';
import { createPurgeRetry } from '#server/cache/purge_retry.ts';
import { recordLog, silentLog } from '#support/recorded_log.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

const WAIT = { timeout: 20_000, interval: 20 };
/** The line of a failed purge, with its stack. */
const PURGE_FAILED = /^CDN: Purge failed \(a job will retry\): Error: 503\n +at /;

/** A CDN adapter that calls `onPurge`, and the tags of each purge. */
function fakeCdn(
  onPurge: (timeoutMs: number, tags: readonly string[]) => Promise<void> = async () => {},
) {
  const purged: (readonly string[])[] = [];
  const purge: CdnAdapter['purge'] = async (tags, timeoutMs) => {
    purged.push(tags);
    await onPurge(timeoutMs, tags);
  };
  return { purge, purged };
}

/** A write of an artist that invalidates their page, and its tag. */
async function prepareWrite({ newArtist, call }: TestApp) {
  const { self, token } = await newArtist();
  const write = () => call('PATCH /users/me', { token, json: { about_me: 'Fine lines.' } });
  return { tag: `artist:${self.id}`, write };
}

test('the response to a write is sent after the CDNs were purged, with a limit of a second for each call', async () => {
  const released = Promise.withResolvers<void>();
  let blockedTag = '';
  const timeouts = new Set<number>();
  const { purge, purged } = fakeCdn(async (timeoutMs, tags) => {
    timeouts.add(timeoutMs);
    if (tags.includes(blockedTag)) await released.promise;
  });
  const app = await openTestApp({ database: 'own', cdns: { purge } });
  const { tag, write } = await prepareWrite(app);
  blockedTag = tag;
  let isAnswered = false;
  const response = write().finally(() => {
    isAnswered = true;
  });
  await vi.waitFor(() => expect(purged.flat()).toContain(tag), WAIT);
  expect(app.invalidatedTags).toContain(tag);
  expect(isAnswered).toBe(false);
  released.resolve();
  expect((await response).status).toBe(200);
  expect([...timeouts]).toEqual([1000]);
});

/** Lets the time pass in which a purge is repeated. */
async function passRepeats(): Promise<void> {
  await vi.advanceTimersByTimeAsync(5000);
}

function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('a purge is repeated four times, as the old page may have come back', async () => {
  fakeTimers();
  const { purge, purged } = fakeCdn();
  const retry = createPurgeRetry({ cdns: { purge }, enqueue: async () => {}, log: silentLog });
  await retry.purge(['artist:1']);
  expect(countPurges(purged, 'artist:1')).toBe(1);
  await passRepeats();
  expect(countPurges(purged, 'artist:1')).toBe(5);
});

test('a write succeeds although a CDN fails, and a job purges the CDN later', async () => {
  let isDown = true;
  const { purge, purged } = fakeCdn(async () => {
    if (isDown) throw new Error('503');
  });
  const app = await openTestApp({ database: 'own', cdns: { purge } });
  const { tag, write } = await prepareWrite(app);
  expect((await write()).status).toBe(200);
  expect(app.logged).toContainEqual(expect.stringMatching(PURGE_FAILED));
  isDown = false;
  const before = countPurges(purged, tag);
  await app.runJobs();
  expect(countPurges(purged, tag)).toBeGreaterThan(before);
});

test('a failed purge is repeated also when no job can be stored', async () => {
  fakeTimers();
  let isDown = true;
  const { purge, purged } = fakeCdn(async () => {
    if (isDown) throw new Error('503');
  });
  const logged: string[] = [];
  const enqueue = () => Promise.reject(new Error('no database'));
  const retry = createPurgeRetry({ cdns: { purge }, enqueue, log: recordLog(logged) });
  await retry.purge(['artist:1']);
  isDown = false;
  await passRepeats();
  expect(countPurges(purged, 'artist:1')).toBe(5);
  expect(logged).toContainEqual(expect.stringMatching(PURGE_FAILED));
  await retry.stop();
});

test('a server that stops enqueues a job for its pending repeats', async () => {
  const { purge, purged } = fakeCdn();
  const enqueued: string[] = [];
  const purgeRetry = createPurgeRetry({
    cdns: { purge },
    enqueue: async (tags) => void enqueued.push(...tags),
    log: silentLog,
  });
  await purgeRetry.purge(['designs:1', 'artist:1']);
  expect(purged).toEqual([['designs:1', 'artist:1']]);
  await purgeRetry.stop();
  expect(enqueued).toEqual(['designs:1', 'artist:1']);
  await purgeRetry.purgeInJob(['designs:2']);
  expect(purged.at(-1)).toEqual(['designs:2']);
  expect(enqueued).toEqual(['designs:1', 'artist:1', 'designs:2']);
});

test('tags that arrive during a purge are batched into the next one', async () => {
  const first = Promise.withResolvers<void>();
  const { purge, purged } = fakeCdn(async () => {
    if (purged.length === 1) await first.promise;
  });
  const purgeRetry = createPurgeRetry({ cdns: { purge }, enqueue: async () => {}, log: silentLog });
  const all = ['artist:1', 'artist:2', 'artist:3'].map(async (tag, index) => {
    // The first purge is running by then.
    if (index > 0) await vi.waitFor(() => expect(purged).toHaveLength(1), WAIT);
    await purgeRetry.purge([tag]);
  });
  await vi.waitFor(() => expect(purged).toHaveLength(1), WAIT);
  await sleep(50);
  first.resolve();
  await Promise.all(all);
  expect(purged.slice(0, 2)).toEqual([['artist:1'], ['artist:2', 'artist:3']]);
  await purgeRetry.stop();
});

test('cacheable responses carry the cache time and tags for CDNs, uncacheable ones no-store', async () => {
  const { purge } = fakeCdn();
  const { cdnHeaders } = createFastlyAdapter({
    id: 's1',
    apiToken: 'right',
    apiBase: 'http://localhost',
  });
  const app = await openTestApp({
    database: 'own',
    cdns: { purge, ...(cdnHeaders && { cdnHeaders }) },
  });
  const { self } = await app.newArtist();
  const origin = await app.serve();
  const headersOf = async (query: string) =>
    (await fetch(new URL(`api/v1/designs/${self.username}/available${query}`, origin))).headers;
  for (const _ of ['rendered', 'cached']) {
    const headers = await headersOf('');
    expect(headers.get('surrogate-control')).toMatch(/^max-age=[1-9]/);
    expect(headers.get('surrogate-key')?.split(' ')).toContain(`designs:${self.id}`);
  }
  // Responses to unknown query parameters are never cached.
  expect((await headersOf('?nobody=knows')).get('surrogate-control')).toBe('no-store');
});

function countPurges(purged: readonly (readonly string[])[], tag: string): number {
  return purged.filter((tags) => tags.includes(tag)).length;
}

test('when the last repeat after the purge of a job fails, it is logged and another job purges', async () => {
  fakeTimers();
  const enqueued: (readonly string[])[] = [];
  const logged: string[] = [];
  let calls = 0;
  const purgeRetry = createPurgeRetry({
    cdns: {
      purge: async () => {
        calls += 1;
        if (calls > 1) throw new Error('429');
      },
    },
    enqueue: async (tags) => void enqueued.push(tags),
    log: recordLog(logged),
  });
  await purgeRetry.purgeInJob(['designs:1']);
  await passRepeats();
  expect([calls, enqueued, logged]).toEqual([
    5,
    [['designs:1']],
    [expect.stringMatching(/^CDN: Repeated purge failed \(a job will retry\): Error: 429\n +at /)],
  ]);
  await purgeRetry.stop();
});
