import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  deleteOldSiteAssets,
  findSiteAsset,
  publishSiteAssets,
} from '#server/operations/site_assets.ts';
import { openTestApp } from '#support/test_app.ts';

const DAY_MS = 24 * 60 * 60_000;
const build = (...names: string[]) => new Map(names.map((name) => [name, Buffer.from(name)]));

test('the files of every published build are found under their names', async () => {
  const { database } = await openTestApp();
  await publishSiteAssets(database, build('found-a.1.js', 'found-b.1.css'));
  await publishSiteAssets(database, build('found-a.2.js', 'found-b.1.css'));
  for (const name of ['found-a.1.js', 'found-a.2.js', 'found-b.1.css'])
    expect(await findSiteAsset(database, name)).toEqual(Buffer.from(name));
  expect(await findSiteAsset(database, 'found-c.1.js')).toBeUndefined();
});

test('a stored file is not overwritten', async () => {
  const { database } = await openTestApp();
  const publish = (text: string) =>
    publishSiteAssets(database, new Map([['stored.js', Buffer.from(text)]]));
  await Promise.all([publish('one'), publish('one')]);
  await publish('other');
  expect(String(await findSiteAsset(database, 'stored.js'))).toBe('one');
});

test('publishing a build without files does nothing', async () => {
  const { database } = await openTestApp();
  await expect(publishSiteAssets(database, new Map())).resolves.toBeUndefined();
});

test('files unused for a week are deleted; later ones stay, because cached pages may link to them', async () => {
  const { database } = await openTestApp();
  await publishSiteAssets(database, build('sweep-old.js', 'sweep-both.js'));
  await sql`UPDATE site_assets SET last_used_at = now() - interval '2 days' WHERE name LIKE 'sweep-%'`.execute(
    database,
  );
  await publishSiteAssets(database, build('sweep-both.js', 'sweep-new.js'));
  await deleteOldSiteAssets(database, Date.now() + 4 * DAY_MS);
  expect(await findSiteAsset(database, 'sweep-old.js')).toBeDefined();
  await deleteOldSiteAssets(database, Date.now() + 6 * DAY_MS);
  expect(await findSiteAsset(database, 'sweep-old.js')).toBeUndefined();
  expect(await findSiteAsset(database, 'sweep-both.js')).toBeDefined();
  expect(await findSiteAsset(database, 'sweep-new.js')).toBeDefined();
});

test('servers that start concurrently can publish the same build without deadlocks', async () => {
  const { database } = await openTestApp();
  const names = Array.from({ length: 40 }, (_, n) => `together-${n}.js`);
  const orders = [names, names.toReversed(), names, names.toReversed()];
  await Promise.all(orders.map((order) => publishSiteAssets(database, build(...order))));
  await Promise.all(orders.map((order) => publishSiteAssets(database, build(...order))));
  for (const name of names) expect(await findSiteAsset(database, name)).toBeDefined();
});
