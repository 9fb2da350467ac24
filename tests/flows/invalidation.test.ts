import { expect, test, vi } from 'vitest';
import {
  AUTHORIZATION_RULES,
  findCaller,
  makeCall,
  openTableFixture,
} from '#support/authorization_table.ts';
import { openBilledTestApp } from '#support/billed_test_app.ts';
import type { TestArtist } from '#support/new_artist.ts';
import { openTestApp, type TestApp } from '#support/test_app.ts';

/** Everything of an artist that may be kept. */
function keptPaths({ username, self, service }: TestArtist): string[] {
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

async function readKept(origin: URL, paths: readonly string[]): Promise<string[]> {
  const answers = paths.map(async (path) =>
    (await fetch(new URL(`/api/v1${path}`, origin))).text(),
  );
  return Promise.all(answers);
}

async function readAnew(app: TestApp, paths: readonly string[]): Promise<string[]> {
  const answers = paths.map(async (path) => {
    // Answers to a token are made for it alone.
    const { body } = await app.call(`GET ${path}`, { token: 'nobody' });
    return JSON.stringify(body);
  });
  return Promise.all(answers);
}

test('after any call, what is kept of an artist is what would be made anew', async () => {
  const world = await openTableFixture();
  const { app, owner, subject, designId } = world;
  const origin = await app.serve();
  let changed = 0;
  for (const entry of AUTHORIZATION_RULES) {
    const maker = await findCaller(world, entry);
    const paths = [...new Set([owner, subject, maker])].flatMap(keptPaths);
    paths.push(`/designs/${designId}`);
    const before = await readKept(origin, paths);
    await makeCall(world, entry, entry[1].access === 'superuser' ? world.superuser : maker.token);
    const [kept, anew] = [await readKept(origin, paths), await readAnew(app, paths)];
    if (kept.join() !== before.join()) changed += 1;
    // The clock goes on between the two: what differs by that alone soon does no more.
    if (kept.join() !== anew.join())
      await vi.waitFor(
        async () =>
          expect(await readKept(origin, paths), entry[0]).toEqual(await readAnew(app, paths)),
        { timeout: 3000, interval: 500 },
      );
  }
  // So many calls change something that is shown.
  expect(changed).toBeGreaterThan(12);
}, 120_000);

test.for([
  ['post /designs', '/designs/:username/available'],
  ['patch /users/me/avatar', '/users/artist/:username'],
] as const)(
  'the AVIF variants of a picture by %s are shown once they are there',
  async ([call, path]) => {
    const world = await openTableFixture();
    const { app, owner } = world;
    const origin = await app.serve();
    const upload = AUTHORIZATION_RULES.find(([operation]) => operation === call);
    if (!upload) throw new Error('There is no such call');
    await makeCall(world, upload, owner.token);
    const paths = [path.replace(':username', owner.username)];
    await readKept(origin, paths);
    await app.imagesConverted();
    const [kept] = await readKept(origin, paths);
    expect(kept).toContain('image/avif');
  },
);

test('whoever was not active is found again at once', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const token = await app.superuserToken();
  const call = (is_active: boolean) =>
    app.call(`PATCH /users/${artist.self.id}`, { token, json: { is_active } });
  await call(false);
  const before = app.invalidatedTags.length;
  await call(true);
  expect(app.invalidatedTags.slice(before)).toContain(`username:${artist.username}`);
});

test('books that a payment opens or closes are shown so at once', async () => {
  const { app, subscribe, loadSelf: me } = await openBilledTestApp();
  const artist = await app.newArtist();
  const paths = [`/users/artist/${artist.username}`];
  const origin = await app.serve();
  await app.database
    .updateTable('artists')
    .set({ created_at: new Date('2026-01-01') })
    .where('id', '=', artist.self.id)
    .execute();
  await app.database
    .updateTable('billing')
    .set({ since: new Date('2026-01-01') })
    .execute();
  expect((await readKept(origin, paths)).join()).toContain('"taking_bookings":false');
  await subscribe(artist);
  await me(artist);
  expect((await readKept(origin, paths)).join()).toContain('"taking_bookings":true');
});
