import { expect, test, vi } from 'vitest';
import { updateArtist } from '#server/database/artists.ts';
import { openArtistApp } from '#support/artist_app.ts';
import {
  AUTHORIZATION_RULES,
  findCaller,
  makeCall,
  openTableFixture,
} from '#support/authorization_table.ts';
import { openBilledTestApp } from '#support/billed_test_app.ts';
import { PROOF, type TestArtist } from '#support/new_artist.ts';
import type { TestApp } from '#support/test_app.ts';

/** The paths of all cacheable responses about an artist. */
function cacheablePaths({ username, self, service }: TestArtist): string[] {
  const now = new Date();
  const month = `year=${now.getUTCFullYear()}&month=${now.getUTCMonth() + 1}`;
  return [
    `/users/artist/${username}`,
    `/designs/${username}/available`,
    `/services/${username}/available`,
    `/services/${username}/available/${service.id}`,
    `/images/artist-portfolio?username=${username}`,
    `/services/${service.id}/availability?${month}`,
    `/services/${service.id}/availability?year=2027&month=3`,
    `/users/${self.id}/availability?${month}`,
    `/users/${self.id}/availability?year=2027&month=3`,
  ];
}

async function readCached(origin: URL, paths: readonly string[]): Promise<string[]> {
  const responses = paths.map(async (path) => {
    const body = await (await fetch(new URL(`/api/v1${path}`, origin))).text();
    // Each request has its own id in the body of an error.
    return body.replace(/,"request_id":"[^"]*"/, '');
  });
  return Promise.all(responses);
}

async function readUncached(app: TestApp, paths: readonly string[]): Promise<string[]> {
  const responses = paths.map(async (path) => {
    // Requests with a token bypass the cache.
    const { body } = await app.call(`GET ${path}`, { token: 'nobody' });
    return JSON.stringify(body);
  });
  return Promise.all(responses);
}

test('after every call of the API, cached responses equal uncached ones', async () => {
  const fixture = await openTableFixture();
  const { app, owner, subject, ids } = fixture;
  const origin = await app.serve();
  let changed = 0;
  for (const entry of AUTHORIZATION_RULES) {
    const caller = await findCaller(fixture, entry);
    // A new caller was inserted with SQL, which invalidates nothing: this call does.
    if (caller !== owner)
      await app.call('PATCH /users/me', { token: owner.token, json: { is_listed: true } });
    const paths = [...new Set([owner, subject, caller])].flatMap(cacheablePaths);
    paths.push(`/designs/${ids.design_id}`, '/users/artists/explore');
    const before = await readCached(origin, paths);
    await makeCall(
      fixture,
      entry,
      entry[1].access === 'superuser' ? fixture.superuser : caller.token,
    );
    const [cached, uncached] = [await readCached(origin, paths), await readUncached(app, paths)];
    if (cached.join() !== before.join()) changed += 1;
    // Time passes between the two reads; a difference caused by that alone soon disappears.
    if (cached.join() !== uncached.join())
      await vi.waitFor(
        async () =>
          expect(await readCached(origin, paths), entry[0]).toEqual(await readUncached(app, paths)),
        { timeout: 3000, interval: 500 },
      );
  }
  // Otherwise the calls changed too little for the comparison to prove anything.
  expect(changed).toBeGreaterThan(12);
}, 120_000);

test.for([
  ['post /designs', '/designs/:username/available'],
  ['patch /users/me/avatar', '/users/artist/:username'],
] as const)(
  'a picture sent with %s is shown with AVIF variants as soon as they are converted',
  async ([call, path]) => {
    const fixture = await openTableFixture();
    const { app, owner } = fixture;
    const origin = await app.serve();
    const upload = AUTHORIZATION_RULES.find(([operation]) => operation === call);
    if (!upload) throw new Error('There is no such call');
    await makeCall(fixture, upload, owner.token);
    const paths = [path.replace(':username', owner.username)];
    await readCached(origin, paths);
    await app.runJobs();
    const [cached] = await readCached(origin, paths);
    expect(cached).toContain('image/avif');
  },
);

test('reactivating an artist invalidates the cached 404s of their present and former usernames', async () => {
  const { app, self, token, username } = await openArtistApp({ database: 'own' });
  const [first, second, third] = [username, `${username}-2`, `${username}-3`];
  await app.call('PATCH /users/me', { token, json: { username: second } });
  const superuser = await app.superuserToken();
  const change = (changes: object) =>
    app.call(`PATCH /users/${self.id}`, { token: superuser, json: { ...changes, ...PROOF } });
  await change({ is_active: false });
  const before = app.invalidatedTags.length;
  await change({ is_active: true, username: third });
  expect(app.invalidatedTags.slice(before)).toEqual(
    expect.arrayContaining([first, second, third].map((name) => `username:${name}`)),
  );
});

test('a subscription invalidates the cached page, which then shows that the books are open', async () => {
  const { app, subscribe, loadSelf } = await openBilledTestApp();
  const artist = await app.newArtist();
  const paths = [`/users/artist/${artist.username}`];
  const origin = await app.serve();
  await updateArtist(app.database, artist.self.id, { created_at: new Date('2026-01-01') });
  await app.database
    .updateTable('billing')
    .set({ since: new Date('2026-01-01') })
    .execute();
  expect((await readCached(origin, paths)).join()).toContain('"taking_bookings":false');
  await subscribe(artist);
  await loadSelf(artist);
  expect((await readCached(origin, paths)).join()).toContain('"taking_bookings":true');
});
