import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  deleteUnusedSiteAssets,
  findSiteAsset,
  insertSiteAssets,
  touchSiteAssets,
} from '#server/database/site_assets.ts';
import { openTestApp } from '#support/test_app.ts';

const newName = () => `_astro/page.${crypto.randomUUID()}.css`;

test('a stored file is read unchanged, and a missing one is undefined', async () => {
  const { database } = await openTestApp();
  const name = newName();
  expect(await findSiteAsset(database, name)).toBeUndefined();
  await insertSiteAssets(database, [[name, Buffer.from([0, 255, 10])]]);
  expect(await findSiteAsset(database, name)).toEqual(Buffer.from([0, 255, 10]));
});

test('a stored file is not overwritten', async () => {
  const { database } = await openTestApp();
  const name = newName();
  await insertSiteAssets(database, [[name, Buffer.from('first')]]);
  await insertSiteAssets(database, [[name, Buffer.from('second')]]);
  expect(String(await findSiteAsset(database, name))).toBe('first');
});

test('only files that were not touched since are deleted', async () => {
  const { database } = await openTestApp();
  const [old, used] = [newName(), newName()];
  for (const name of [old, used]) await insertSiteAssets(database, [[name, Buffer.from('bytes')]]);
  const twoDaysAgo = sql<Date>`now() - interval '2 days'`;
  await database
    .updateTable('site_assets')
    .set({ last_used_at: twoDaysAgo })
    .where('name', 'in', [old, used])
    .execute();
  const missing = newName();
  expect(await touchSiteAssets(database, [used, missing])).toEqual(new Set([used]));
  await deleteUnusedSiteAssets(database, Date.now() - 24 * 3_600_000);
  expect([await findSiteAsset(database, old), String(await findSiteAsset(database, used))]).toEqual(
    [undefined, 'bytes'],
  );
});

test('concurrent touches in different orders do not deadlock', async () => {
  const { database } = await openTestApp();
  const names = Array.from({ length: 20 }, newName);
  for (const name of names) await insertSiteAssets(database, [[name, Buffer.from('bytes')]]);
  const touched = await Promise.all(
    [names, names.toReversed(), names].map((order) => touchSiteAssets(database, order)),
  );
  expect(touched.map(({ size }) => size)).toEqual([20, 20, 20]);
});
