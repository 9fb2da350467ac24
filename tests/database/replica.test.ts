import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { changeDesign } from '#client/designs.ts';
import type { Design } from '#contract/design.ts';
import { addDesignRow } from '#support/app_rows.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { openReplicatedPostgres, type ReplicatedPostgres } from '#support/replica.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

/** For a busy machine. */
const PATIENCE = { timeout: 20_000 };

let both: ReplicatedPostgres;
beforeAll(async () => {
  both = await openReplicatedPostgres();
}, 120_000);
afterAll(() => both[Symbol.asyncDispose]());
beforeEach(() => both.replica.resume());

/** A studio that reads from the replica, with a design. */
async function openReading(readUrl = both.replica.url) {
  const app = await openTestApp({ database: new URL(both.url), readUrl });
  const site = await app.serve();
  const artist = await app.newArtist();
  const { id } = await addDesignRow(app, artist, { name: 'Swallow' });
  return { app, site, artist, id };
}

async function nameOf(app: TestApp, id: string): Promise<string> {
  return (await expectOk(app.call<Design>(`GET /designs/${id}`))).name;
}

async function rename(app: TestApp, { token }: TestArtist, id: string, name: string) {
  await changeDesign(app.http(token), id, { name });
}

/** Changes it behind the servers' backs: with replay paused, the replica alone has the old name. */
async function renameUnheard({ database }: TestApp, id: string, name: string) {
  await database.updateTable('designs').set({ name }).where('id', '=', id).execute();
}

/** Once a server reads from the replica, which then stays where it is. */
async function pausedAndReadFrom(app: TestApp, id: string): Promise<void> {
  await vi.waitFor(async () => {
    await both.replica.resume();
    await renameUnheard(app, id, 'Before');
    await both.replica.waitUntilCaughtUp();
    await both.replica.pause();
    await renameUnheard(app, id, 'After');
    expect(await nameOf(app, id)).toBe('Before');
  }, PATIENCE);
}

test('public reads are made on a replica that has all that was changed', async () => {
  const { app, artist, id } = await openReading();
  await pausedAndReadFrom(app, id);
  // What someone with a token sees is never behind.
  const own = await expectOk(app.call<Design>(`GET /designs/${id}`, { token: artist.token }));
  expect(own.name).toBe('After');
  expect(app.logged).toEqual([]);
});

test('what was edited is seen at once by every server, however far the replica is behind', async () => {
  const { app, site, artist, id } = await openReading();
  const other = await app.openSecondServer();
  const otherSite = await other.serve();
  await pausedAndReadFrom(other, id);
  await pausedAndReadFrom(app, id);
  const shown = async (address: URL): Promise<string> => {
    const answer = await fetch(new URL(`/api/v1/designs/${id}`, address));
    const { name }: Design = await answer.json();
    return name;
  };
  expect([await shown(site), await shown(otherSite)]).toEqual(['Before', 'Before']);
  await Promise.all([
    rename(app, artist, id, 'Heron'),
    // Whoever asks while it is being changed must leave nothing old behind.
    ...Array.from({ length: 50 }, () => shown(site)),
  ]);
  expect(await shown(site)).toBe('Heron');
  await vi.waitFor(async () => expect(await shown(otherSite)).toBe('Heron'), PATIENCE);
  await rename(other, artist, id, 'Egret');
  expect(await shown(otherSite)).toBe('Egret');
  await vi.waitFor(async () => expect(await shown(site)).toBe('Egret'), PATIENCE);
  await pausedAndReadFrom(app, id);
  await pausedAndReadFrom(other, id);
});

test('a server that did not hear of changes for a moment reads nothing older than they are', async () => {
  const { app, id } = await openReading();
  await pausedAndReadFrom(app, id);
  await sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'linework listener'
  `.execute(app.database);
  await vi.waitFor(() => expect(app.logged.join()).toContain('LISTEN connection lost'), PATIENCE);
  expect(await nameOf(app, id)).toBe('After');
  await vi.waitFor(
    () => expect(app.logged.join()).toContain('LISTEN connection restored'),
    PATIENCE,
  );
  expect(await nameOf(app, id)).toBe('After');
  await pausedAndReadFrom(app, id);
});

test('while the replica is away all is read from the primary, and nobody notices', async () => {
  const { app, id } = await openReading();
  await pausedAndReadFrom(app, id);
  let isAway = false;
  const asking = (async () => {
    const names = new Set<string>();
    while (!isAway) names.add(await nameOf(app, id));
    return names;
  })();
  await both.replica.stop();
  isAway = true;
  for (const name of await asking) expect(['Before', 'After']).toContain(name);
  expect(await nameOf(app, id)).toBe('After');
  await both.replica.start();
  await pausedAndReadFrom(app, id);
  expect(app.logged).toEqual([
    expect.stringContaining('Replica of DATABASE_READ_URL not used'),
    'Replica of DATABASE_READ_URL used again.',
  ]);
});

test('a database that is no replica of this one is not read from', async () => {
  const { app, id } = await openReading(inject('cluster'));
  await vi.waitFor(() => expect(app.logged.join()).toContain('it is not a replica'), PATIENCE);
  expect(await nameOf(app, id)).toBe('Swallow');
  const same = await openReading(both.url);
  await vi.waitFor(() => expect(same.app.logged.join()).toContain('it is not a replica'), PATIENCE);
  expect(await nameOf(same.app, same.id)).toBe('Swallow');
});
