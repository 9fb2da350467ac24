import { expect, test } from 'vitest';
import { findSiteAsset, insertSiteAssets, touchSiteAssets } from '#server/database/site_assets.ts';
import { openTestApp } from '#support/test_app.ts';

const newName = () => `_astro/page.${crypto.randomUUID()}.css`;

test('a stored file is not overwritten', async () => {
  const { database } = await openTestApp();
  const name = newName();
  await insertSiteAssets(database, [[name, Buffer.from('first')]]);
  await insertSiteAssets(database, [[name, Buffer.from('second')]]);
  expect(String(await findSiteAsset(database, name))).toBe('first');
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
