import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { call } from '#client/call.ts';
import type { Design } from '#contract/design.ts';
import { changeDesign } from '#contract/endpoints.ts';
import { addDesignRow } from '#support/app_rows.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { openReplicatedPostgres, type ReplicatedPostgres } from '#support/replica.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

/** Long enough for a busy machine. */
const WAIT = { timeout: 20_000 };

let postgres: ReplicatedPostgres;
beforeAll(async () => {
  postgres = await openReplicatedPostgres();
}, 120_000);
afterAll(() => postgres[Symbol.asyncDispose]());
beforeEach(() => postgres.replica.resume());

/** An app that reads from the replica, and a design. */
async function openWithReplica(readUrl = postgres.replica.url) {
  const app = await openTestApp({ database: new URL(postgres.url), readUrl });
  const site = await app.serve();
  const artist = await app.newArtist();
  const { id } = await addDesignRow(app, artist, { name: 'Swallow' });
  return { app, site, artist, id };
}

async function loadName(app: TestApp, id: string): Promise<string> {
  return (await expectOk(app.call<Design>(`GET /designs/${id}`))).name;
}

async function rename(app: TestApp, { token }: TestArtist, id: string, name: string) {
  await call(app.http(token), changeDesign, { path: { design_id: id }, body: { name } });
}

/** Renames without invalidation: while replay is paused, only the replica has the old name. */
async function renameInDatabase({ database }: TestApp, id: string, name: string) {
  await database.updateTable('designs').set({ name }).where('id', '=', id).execute();
}

/** Waits until the server reads from the replica, and leaves replay paused. */
async function waitForReplicaReads(app: TestApp, id: string): Promise<void> {
  await vi.waitFor(async () => {
    await postgres.replica.resume();
    await renameInDatabase(app, id, 'Before');
    await postgres.replica.waitUntilCaughtUp();
    await postgres.replica.pause();
    await renameInDatabase(app, id, 'After');
    expect(await loadName(app, id)).toBe('Before');
  }, WAIT);
}

test('public reads use a replica that is caught up, and reads with a token use the primary', async () => {
  const { app, artist, id } = await openWithReplica();
  await waitForReplicaReads(app, id);
  // Reads with a token are never stale.
  const own = await expectOk(app.call<Design>(`GET /designs/${id}`, { token: artist.token }));
  expect(own.name).toBe('After');
  expect(app.logged).toEqual([]);
});

test('an edit is visible at once on its server, and soon on others, while the replica lags', async () => {
  const { app, site, artist, id } = await openWithReplica();
  const other = await app.openSecondServer();
  const otherSite = await other.serve();
  await waitForReplicaReads(other, id);
  await waitForReplicaReads(app, id);
  const fetchName = async (address: URL): Promise<string> => {
    const response = await fetch(new URL(`/api/v1/designs/${id}`, address));
    const { name }: Design = await response.json();
    return name;
  };
  expect([await fetchName(site), await fetchName(otherSite)]).toEqual(['Before', 'Before']);
  await Promise.all([
    rename(app, artist, id, 'Heron'),
    // Requests during the change must not leave the old name in a cache.
    ...Array.from({ length: 50 }, () => fetchName(site)),
  ]);
  expect(await fetchName(site)).toBe('Heron');
  await vi.waitFor(async () => expect(await fetchName(otherSite)).toBe('Heron'), WAIT);
  await rename(other, artist, id, 'Egret');
  expect(await fetchName(otherSite)).toBe('Egret');
  await vi.waitFor(async () => expect(await fetchName(site)).toBe('Egret'), WAIT);
  await waitForReplicaReads(app, id);
  await waitForReplicaReads(other, id);
});

test('after a lost LISTEN connection, reads are not stale, and return to the replica', async () => {
  const { app, id } = await openWithReplica();
  await waitForReplicaReads(app, id);
  await sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'linework listener'
  `.execute(app.database);
  await vi.waitFor(() => expect(app.logged.join()).toContain('LISTEN connection lost'), WAIT);
  expect(await loadName(app, id)).toBe('After');
  await vi.waitFor(() => expect(app.logged.join()).toContain('LISTEN connection restored'), WAIT);
  expect(await loadName(app, id)).toBe('After');
  await waitForReplicaReads(app, id);
});

test('while the replica is down, all reads succeed on the primary', async () => {
  const { app, id } = await openWithReplica();
  await waitForReplicaReads(app, id);
  let isStopped = false;
  const reading = (async () => {
    const names = new Set<string>();
    while (!isStopped) names.add(await loadName(app, id));
    return names;
  })();
  await postgres.replica.stop();
  isStopped = true;
  for (const name of await reading) expect(['Before', 'After']).toContain(name);
  expect(await loadName(app, id)).toBe('After');
  await postgres.replica.start();
  await waitForReplicaReads(app, id);
  expect(app.logged).toEqual([
    expect.stringContaining('Database: Replica at DATABASE_READ_URL not used'),
    'Database: Replica at DATABASE_READ_URL used again',
  ]);
});

test('a database that is not a replica of the primary is not read from', async () => {
  const { app, id } = await openWithReplica(inject('cluster'));
  await vi.waitFor(() => expect(app.logged.join()).toContain('the server is not a replica'), WAIT);
  expect(await loadName(app, id)).toBe('Swallow');
  const same = await openWithReplica(postgres.url);
  await vi.waitFor(
    () => expect(same.app.logged.join()).toContain('the server is not a replica'),
    WAIT,
  );
  expect(await loadName(same.app, same.id)).toBe('Swallow');
});
