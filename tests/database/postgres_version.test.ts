import { expect, inject, test } from 'vitest';
import { loadPostgresVersion, readPostgresVersion } from '#server/database/postgres_version.ts';
import { openOldPostgres } from '#support/old_postgres.ts';
import { openTestApp } from '#support/test_app.ts';

test('the version of a supported PostgreSQL is read', async () => {
  const version = await readPostgresVersion(inject('cluster'), 10_000);
  expect(version).toMatch(/^\d+\.\d+$/);
  expect(await loadPostgresVersion((await openTestApp()).database)).toBe(version);
});

test('an older PostgreSQL than 15 is refused with both versions', async () => {
  await expect(readPostgresVersion(await openOldPostgres('14.19'), 10_000)).rejects.toThrow(
    'it is PostgreSQL 14.19, and the oldest supported version is 15',
  );
  expect(await readPostgresVersion(await openOldPostgres('15.0 (Debian)'), 10_000)).toBe('15.0');
});
