import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import type { Design } from '#contract/design.ts';
import { openSandbox, queryDatabase, type RunningServer } from '#support/sandbox.ts';
import { call, logIn } from './bookings.ts';

const KEY = 'a key that two servers share';
const LATEST_MS = 1000;
const EDITS = 100;
const CUTS = 5;

describe.concurrent('kept pages', () => {
  test('a page whose rendering began before an edit and ended after it is never stored', async () => {
    await using place = await openSandbox();
    const server = await place.serve();
    const token = await logIn(server, 'ana');
    const url = await place.databaseUrl();
    const locker = new pg.Client({ connectionString: url });
    await locker.connect();
    try {
      // The page has read the artist when it comes to their services.
      await locker.query('BEGIN; LOCK TABLE services IN ACCESS EXCLUSIVE MODE');
      const slow = fetch(`${server.url}/ana/scheduling`);
      await vi.waitFor(async () => expect(await countWaiting(url)).toBe(1), WAIT);
      const json = { full_name: 'Ana Renamed' };
      expect((await call(server, 'PATCH /users/me', { token, json })).status).toBe(200);
      await locker.query('ROLLBACK');
      const late = await slow;
      expect(late.headers.get('Surrogate-Control')).toBe('no-store');
      expect(await late.text()).not.toContain('Ana Renamed');
    } finally {
      await locker.end();
    }
    const next = await fetch(`${server.url}/ana/scheduling`);
    expect(await next.text()).toContain('Ana Renamed');
    expect(next.headers.get('Surrogate-Control')).toMatch(/^max-age=[1-9]/);
  }, 120_000);

  test('what is not there is kept only where an artist may yet be, and never by what strangers ask for', async () => {
    await using place = await openSandbox();
    const { url } = await place.serve();
    const ask = async (path: string) => {
      const { status, headers } = await fetch(url + path, { redirect: 'manual' });
      return [status, headers.get('Cache-Tag'), headers.get('Surrogate-Control')];
    };
    expect(await ask('/nobody')).toEqual([
      302,
      'username:nobody',
      expect.stringMatching(/^max-age=\d+$/),
    ]);
    for (const path of ['/%E2%82%AC', '/a,artist:1', `/${'a'.repeat(3000)}`, '/%0d%0aX'])
      expect(await ask(path)).toEqual([302, null, null]);
    expect(await ask('/ana/scheduling?service=nonsense')).toEqual([200, null, null]);
    expect(await ask('/ana/scheduling?design=nonsense')).toEqual([200, null, null]);
  }, 120_000);

  test('a server whose listener is cut again and again serves no page that is a second old', async () => {
    await using place = await openSandbox();
    const here = await place.serve({ env: { SECRET_KEY: KEY } });
    const url = await place.databaseUrl();
    const others = await listeners(url);
    await using elsewhere = await openSandbox();
    const there = await elsewhere.serve({ env: { SECRET_KEY: KEY, DATABASE_URL: url } });
    const [listener] = (await listeners(url)).filter((pid) => !others.includes(pid));
    expect(listener).toBeDefined();

    const edits = await editOver(
      here,
      EDITS,
      async (nth) => {
        if (nth % (EDITS / CUTS) === 0) await cutListeners(url, others);
      },
      there,
    );
    expect(there.output()).toContain('Page cache disabled');
    expect(edits.views).toBeGreaterThan(EDITS);
    expect(edits.oldest).toBeLessThan(LATEST_MS);
    await vi.waitFor(() => expect(there.output()).toContain('LISTEN connection restored'), WAIT);
    await expectKept(there);
  }, 120_000);
});

const WAIT = { timeout: 30_000, interval: 20 };

/**
 * Has an artist edit a design so many times at one server, while the other one is asked for the
 * page as fast as it answers.
 * @returns how many pages were seen, and how long after its edit was answered the oldest of them
 *   was asked for, in milliseconds
 */
async function editOver(
  at: RunningServer,
  times: number,
  before: (nth: number) => Promise<void>,
  seenAt: RunningServer,
): Promise<{ views: number; oldest: number }> {
  const token = await logIn(at, 'ana');
  const { body } = await call<{ data: Design[] }>(at, 'GET /designs/ana/available');
  const [design] = body.data;
  if (!design) throw new Error('The demo has no designs');
  const answered: number[] = [];
  const views: { askedAt: number; version: number }[] = [];
  let isOver = false;
  const watch = async () => {
    while (!isOver) {
      const askedAt = performance.now();
      const page = await (await fetch(`${seenAt.url}/ana`)).text();
      const [, version = '-1'] = /Version (\d+)/.exec(page) ?? [];
      views.push({ askedAt, version: Number(version) });
      await wait(5);
    }
  };
  const watching = watch();
  for (let nth = 0; nth < times; nth += 1) {
    await before(nth);
    const json = { name: `Version ${nth}` };
    const { status } = await call(at, `PATCH /designs/${design.id}`, { token, json });
    if (status !== 200) throw new Error(`An edit was answered ${status}`);
    answered.push(performance.now());
    await wait(20);
  }
  await wait(LATEST_MS);
  isOver = true;
  await watching;
  const ages = views.map(({ askedAt, version }) => askedAt - (answered[version + 1] ?? askedAt));
  return { views: views.length, oldest: Math.max(...ages) };
}

/** The connections that listen for changes. */
async function listeners(url: string): Promise<number[]> {
  const rows = await queryDatabase(
    url,
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'linework listener'`,
  );
  return rows.map(([pid]) => Number(pid));
}

async function cutListeners(url: string, spared: readonly number[]): Promise<void> {
  await queryDatabase(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'linework listener' AND pid <> ALL ($1::int[])`,
    [spared],
  );
}

/** A page that was asked for twice is not made twice. */
async function expectKept(server: RunningServer): Promise<void> {
  const dates = async () => {
    const { headers } = await fetch(`${server.url}/ana`);
    return /max-age=(\d+)/.exec(headers.get('Surrogate-Control') ?? '')?.[1];
  };
  const first = await dates();
  await wait(1100);
  expect(Number(await dates())).toBeLessThan(Number(first));
}

async function countWaiting(url: string): Promise<number> {
  const [row] = await queryDatabase(
    url,
    `SELECT count(*)::int FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return Number(row?.[0]);
}
