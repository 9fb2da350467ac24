import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  deleteSiteAssets,
  findSiteAsset,
  insertSiteAsset,
  touchSiteAssets,
} from '#server/database/site_assets.ts';
import { openStudio } from '#support/studio.ts';

test('the first content of a name stays', async () => {
  const { database } = await openStudio();
  await insertSiteAsset(database, 'first.js', Buffer.from('first'));
  await insertSiteAsset(database, 'first.js', Buffer.from('second'));
  expect(await findSiteAsset(database, 'first.js')).toEqual(Buffer.from('first'));
});

test('touching files answers which of them are stored, and stores none', async () => {
  const { database } = await openStudio();
  await insertSiteAsset(database, 'touched.js', Buffer.from('a'));
  expect(await touchSiteAssets(database, ['touched.js', 'unknown.js'])).toEqual(
    new Set(['touched.js']),
  );
  expect(await findSiteAsset(database, 'unknown.js')).toBeUndefined();
});

test('a file in use since the given instant stays, one before it is deleted', async () => {
  const { database } = await openStudio();
  await insertSiteAsset(database, 'edge.js', Buffer.from('a'));
  const at = new Date('2026-01-01T00:00:00Z');
  await sql`UPDATE site_assets SET last_used_at = ${at} WHERE name = 'edge.js'`.execute(database);
  await deleteSiteAssets(database, at.getTime());
  expect(await findSiteAsset(database, 'edge.js')).toBeDefined();
  await deleteSiteAssets(database, at.getTime() + 1);
  expect(await findSiteAsset(database, 'edge.js')).toBeUndefined();
});
