import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { CdnAdapter } from '#server/cache/cdn/cdn_adapter.ts';
import { createFastlyAdapter } from '#server/cache/cdn/fastly.ts';
import { createPurgeRetry } from '#server/cache/purge_retry.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

const WAIT = { timeout: 20_000, interval: 20 };

/** Caches in front that do as they are told, and remember what they were told to let go of. */
function standIn(
  answer: (timeoutMs: number, tags: readonly string[]) => Promise<void> = async () => {},
) {
  const purged: (readonly string[])[] = [];
  const purge: CdnAdapter['purge'] = async (tags, timeoutMs) => {
    purged.push(tags);
    await answer(timeoutMs, tags);
  };
  return { purge, purged };
}

/** An artist's call that changes what their page shows. */
async function aChange({ newArtist: artist, call }: TestApp) {
  const { self, token } = await artist();
  const change = () => call('PATCH /users/me', { token, json: { about_me: 'Fine lines.' } });
  return { tag: `artist:${self.id}`, change };
}

test('a change is answered once the caches in front have let go of what it changed', async () => {
  const letGo = Promise.withResolvers<void>();
  let held = '';
  const { purge, purged } = standIn(async (_, tags) => {
    if (tags.includes(held)) await letGo.promise;
  });
  const app = await openTestApp({ database: 'own', cdns: { purge } });
  const { tag, change } = await aChange(app);
  held = tag;
  let isAnswered = false;
  const changed = change().finally(() => {
    isAnswered = true;
  });
  await vi.waitFor(() => expect(purged.flat()).toContain(tag), WAIT);
  expect(app.invalidatedTags).toContain(tag);
  expect(isAnswered).toBe(false);
  letGo.resolve();
  expect((await changed).status).toBe(200);
});

test('the same is purged again, as the old page may have come back', async () => {
  const { purge, purged } = standIn();
  const app = await openTestApp({ database: 'own', cdns: { purge } });
  const { tag, change } = await aChange(app);
  await change();
  expect(timesOf(purged, tag)).toBeGreaterThanOrEqual(1);
  await vi.waitFor(() => expect(timesOf(purged, tag)).toBe(5), WAIT);
});

test('a cache in front that fails fails no change, and a job purges it later', async () => {
  let isAway = true;
  const { purge, purged } = standIn(async () => {
    if (isAway) throw new Error('503');
  });
  const app = await openTestApp({ database: 'own', cdns: { purge } });
  const { tag, change } = await aChange(app);
  expect((await change()).status).toBe(200);
  expect(app.logged).toContain('CDN: purging failed (a job tries again): Error: 503');
  isAway = false;
  const before = timesOf(purged, tag);
  await app.runJobs();
  expect(timesOf(purged, tag)).toBeGreaterThan(before);
});

test('a cache in front that says nothing holds a change up for a second, not for good', async () => {
  const { purge } = standIn(async (timeoutMs) => {
    await pause(timeoutMs);
    throw new Error('Too slow');
  });
  const app = await openTestApp({ database: 'own', cdns: { purge } });
  const { change } = await aChange(app);
  expect((await change()).status).toBe(200);
  expect(app.logged.join()).toMatch(/purging failed \(a job tries again\): Error: Too slow/);
});

test('a server that stops leaves the purges it would have repeated to a job', async () => {
  const { purge, purged } = standIn();
  const enqueued: string[] = [];
  const purgeRetry = createPurgeRetry({
    cdns: { purge },
    enqueue: async (tags) => void enqueued.push(...tags),
    log: () => {},
  });
  await purgeRetry.purge(['designs:1', 'artist:1']);
  expect(purged).toEqual([['designs:1', 'artist:1']]);
  await purgeRetry.stop();
  expect(enqueued).toEqual(['designs:1', 'artist:1']);
  await purgeRetry.purgeAgain(['designs:1', 'artist:1']);
  expect(purged.at(-1)).toEqual(['designs:1', 'artist:1']);
});

test('tags that arrive during a purge are batched into the next one', async () => {
  const first = Promise.withResolvers<void>();
  const { purge, purged } = standIn(async () => {
    if (purged.length === 1) await first.promise;
  });
  const purgeRetry = createPurgeRetry({ cdns: { purge }, enqueue: async () => {}, log: () => {} });
  const all = ['artist:1', 'artist:2', 'artist:3'].map(async (tag, index) => {
    // The first purge is running by then.
    if (index > 0) await vi.waitFor(() => expect(purged).toHaveLength(1), WAIT);
    await purgeRetry.purge([tag]);
  });
  await vi.waitFor(() => expect(purged).toHaveLength(1), WAIT);
  await pause(50);
  first.resolve();
  await Promise.all(all);
  expect(purged.slice(0, 2)).toEqual([['artist:1'], ['artist:2', 'artist:3']]);
  await purgeRetry.stop();
});

test('each answer tells the caches in front how long to keep it, and what it shows', async () => {
  const { purge } = standIn();
  const { cdnHeaders: hints } = createFastlyAdapter({
    id: 's1',
    apiToken: 'right',
    apiBase: 'http://localhost',
  });
  const app = await openTestApp({
    database: 'own',
    cdns: { purge, ...(hints && { cdnHeaders: hints }) },
  });
  const { self } = await app.newArtist();
  const at = await app.serve();
  const ask = async (query: string) =>
    (await fetch(new URL(`api/v1/designs/${self.username}/available${query}`, at))).headers;
  for (const _ of ['made', 'kept']) {
    const headers = await ask('');
    expect(headers.get('surrogate-control')).toMatch(/^max-age=[1-9]/);
    expect(headers.get('surrogate-key')?.split(' ')).toContain(`designs:${self.id}`);
  }
  // As we keep nothing that is asked for in a way that nobody knows, no one in front should.
  expect((await ask('?nobody=knows')).get('surrogate-control')).toBe('no-store');
});

function timesOf(purged: readonly (readonly string[])[], tag: string): number {
  return purged.filter((tags) => tags.includes(tag)).length;
}

test('a purge by a job adds no further jobs, however often its repeats fail', async () => {
  let jobs = 0;
  let calls = 0;
  const purgeRetry = createPurgeRetry({
    cdns: {
      purge: async () => {
        calls += 1;
        if (calls > 1) throw new Error('429');
      },
    },
    enqueue: async () => {
      jobs += 1;
    },
    log: () => {},
  });
  await purgeRetry.purgeAgain(['designs:1']);
  await vi.waitFor(() => expect(calls).toBe(5), WAIT);
  await purgeRetry.stop();
  expect(jobs).toBe(0);
});
