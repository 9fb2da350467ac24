import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createFastlyPurge } from '#server/edge/fastly.ts';
import type { TagPurge } from '#server/edge/purge.ts';
import { createPurging } from '#server/operations/purging.ts';
import { openStudio, type Studio } from '#support/studio.ts';

const WAIT = { timeout: 20_000, interval: 20 };

/** Caches in front that do as they are told, and remember what they were told to let go of. */
function standIn(
  answer: (patienceMs: number, tags: readonly string[]) => Promise<void> = async () => {},
) {
  const purged: (readonly string[])[] = [];
  const purge: TagPurge['purge'] = async (tags, patienceMs) => {
    purged.push(tags);
    await answer(patienceMs, tags);
  };
  return { purge, purged };
}

/** An artist's call that changes what their page shows. */
async function aChange({ artist, call }: Studio) {
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
  const studio = await openStudio({ database: 'own', purge: { purge } });
  const { tag, change } = await aChange(studio);
  held = tag;
  let isAnswered = false;
  const changed = change().finally(() => {
    isAnswered = true;
  });
  await vi.waitFor(() => expect(purged.flat()).toContain(tag), WAIT);
  expect(studio.cleared).toContain(tag);
  expect(isAnswered).toBe(false);
  letGo.resolve();
  expect((await changed).status).toBe(200);
});

test('the same is purged again, as the old page may have come back', async () => {
  const { purge, purged } = standIn();
  const studio = await openStudio({ database: 'own', purge: { purge } });
  const { tag, change } = await aChange(studio);
  await change();
  expect(timesOf(purged, tag)).toBeGreaterThanOrEqual(1);
  await vi.waitFor(() => expect(timesOf(purged, tag)).toBe(5), WAIT);
});

test('a cache in front that fails fails no change, and a job purges it later', async () => {
  let isAway = true;
  const { purge, purged } = standIn(async () => {
    if (isAway) throw new Error('503');
  });
  const studio = await openStudio({ database: 'own', purge: { purge } });
  const { tag, change } = await aChange(studio);
  expect((await change()).status).toBe(200);
  expect(studio.logged).toContain('A cache in front was not purged; it is tried again: Error: 503');
  isAway = false;
  const before = timesOf(purged, tag);
  await studio.work();
  expect(timesOf(purged, tag)).toBeGreaterThan(before);
});

test('a cache in front that says nothing holds a change up for a second, not for good', async () => {
  const { purge } = standIn(async (patienceMs) => {
    await pause(patienceMs);
    throw new Error('Too slow');
  });
  const studio = await openStudio({ database: 'own', purge: { purge } });
  const { change } = await aChange(studio);
  expect((await change()).status).toBe(200);
  expect(studio.logged.join()).toMatch(/not purged; it is tried again: Error: Too slow/);
});

test('what a server that stops would have purged again is left to the next one', async () => {
  const studio = await openStudio();
  const { purge, purged } = standIn();
  const left: string[] = [];
  const purging = createPurging({
    clearOurs: async () => {},
    purge: { purge },
    database: studio.database,
    jobs: {
      add: async (_, jobs) => void left.push(...jobs.map(({ kind, id }) => `${kind} ${id}`)),
    },
    log: () => {},
  });
  await Promise.all([purging.clear(['designs:1', 'artist:1']), purging.clear(['artist:2'])]);
  expect(purged).toEqual([['designs:1', 'artist:1', 'artist:2']]);
  await purging.stop();
  expect(left).toEqual(['purge designs:1,artist:1,artist:2']);
  await purging.purgeLate('designs:1,artist:1');
  expect(purged.at(-1)).toEqual(['designs:1', 'artist:1']);
});

test('each answer tells the caches in front how long to keep it, and what it shows', async () => {
  const { purge } = standIn();
  const { hints } = createFastlyPurge({ id: 's1', apiToken: 'right', apiBase: 'http://localhost' });
  const studio = await openStudio({ database: 'own', purge: { purge, ...(hints && { hints }) } });
  const { self } = await studio.artist();
  const at = await studio.serve();
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

test('a purge that a job makes good leaves no further jobs, however often its repeats are refused', async () => {
  const studio = await openStudio();
  let left = 0;
  let calls = 0;
  const purging = createPurging({
    clearOurs: async () => {},
    purge: {
      purge: async () => {
        calls += 1;
        if (calls > 1) throw new Error('429');
      },
    },
    database: studio.database,
    jobs: {
      add: async (_, jobs) => {
        left += jobs.length;
      },
    },
    log: () => {},
  });
  await purging.purgeLate('designs:1');
  await vi.waitFor(() => expect(calls).toBe(5), WAIT);
  await purging.stop();
  expect(left).toBe(0);
});
