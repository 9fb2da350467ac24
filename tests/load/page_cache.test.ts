import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { queryDatabase, type RunningServer, serveDemo } from '#support/sandbox.ts';
import { call, logIn } from './bookings.ts';
import { openEdits, watchVersions } from './page_versions.ts';

const MAX_STALE_MS = 1000;
const EDITS = 60;
const CUTS = 3;
const LOCK_WAITERS = `SELECT count(*)::int FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('cached pages', () => {
  const demo = serveDemo();

  test('a page whose rendering began before an edit and ended after it is never stored', async () => {
    const { sandbox, server } = demo;
    const token = await logIn(server, 'ana');
    const url = await sandbox.databaseUrl();
    const locker = new pg.Client({ connectionString: url });
    await locker.connect();
    const { rows } = await locker.query(
      `SELECT designs.id FROM designs JOIN artists ON artists.id = artist_id
       WHERE username = 'ana' AND status = 'available' LIMIT 1`,
    );
    const page = `${server.url}/ana/scheduling?design=${rows[0].id}`;
    try {
      // The page reads the artist first, then waits for the locked designs.
      await locker.query('BEGIN; LOCK TABLE designs IN ACCESS EXCLUSIVE MODE');
      const slow = fetch(page);
      await vi.waitFor(
        async () => expect(await queryDatabase(url, LOCK_WAITERS)).toEqual([[1]]),
        WAIT,
      );
      const json = { full_name: 'Ana Renamed' };
      expect((await call(server, 'PATCH /users/me', { token, json })).status).toBe(200);
      await locker.query('ROLLBACK');
      const late = await slow;
      expect(late.headers.get('Surrogate-Control')).toBe('no-store');
      expect(await late.text()).not.toContain('Ana Renamed');
    } finally {
      await locker.end();
    }
    const next = await fetch(page);
    expect(await next.text()).toContain('Ana Renamed');
    expect(next.headers.get('Surrogate-Control')).toMatch(/^max-age=[1-9]/);
  }, 120_000);

  test('a server that repeatedly loses its LISTEN connection never serves a page that is a second out of date', async () => {
    const { sandbox, server: editingServer } = demo;
    const url = await sandbox.databaseUrl();
    const others = await findListenerPids(url);
    const watchedServer = await sandbox.serve({ env: await sandbox.settingsBeside() });
    const [listener] = (await findListenerPids(url)).filter((pid) => !others.includes(pid));
    expect(listener).toBeDefined();

    const edit = await openEdits(editingServer);
    const watch = watchVersions(watchedServer);
    for (let version = 1; version <= EDITS; version += 1) {
      if (version % (EDITS / CUTS) === 0) await cutListeners(url, others);
      await edit(editingServer, version);
      watch.recordEdit(version);
      await sleep(20);
    }
    await sleep(MAX_STALE_MS);
    await watch.stop();
    expect(watchedServer.output()).toContain('Page cache disabled');
    expect(watch.failures).toEqual([]);
    expect(watch.countViews()).toBeGreaterThan(EDITS);
    expect(watch.staleMs()).toBeLessThan(MAX_STALE_MS);
    await vi.waitFor(
      () => expect(watchedServer.output()).toContain('LISTEN connection restored'),
      WAIT,
    );
    await expectCached(watchedServer);
  }, 120_000);
});

const WAIT = { timeout: 30_000, interval: 20 };

/** The backends of the servers' LISTEN connections. */
async function findListenerPids(url: string): Promise<number[]> {
  const rows = await queryDatabase(
    url,
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'linework listener'`,
  );
  return rows.map(([pid]) => Number(pid));
}

async function cutListeners(url: string, except: readonly number[]): Promise<void> {
  await queryDatabase(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'linework listener' AND pid <> ALL ($1::int[])`,
    [except],
  );
}

/** A second request gets the page from the cache: its max-age has decreased. */
async function expectCached(server: RunningServer): Promise<void> {
  const readMaxAge = async () => {
    const { headers } = await fetch(`${server.url}/ana`);
    return /max-age=(\d+)/.exec(headers.get('Surrogate-Control') ?? '')?.[1];
  };
  const first = await readMaxAge();
  await sleep(1100);
  expect(Number(await readMaxAge())).toBeLessThan(Number(first));
}
