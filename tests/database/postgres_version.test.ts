import { expect, inject, test } from 'vitest';
import { readPostgresVersion } from '#server/database/postgres_version.ts';
import { openOldPostgres } from '#support/old_postgres.ts';

test('the version of a supported PostgreSQL is read', async () => {
  expect(await readPostgresVersion(inject('cluster'), 10_000)).toMatch(/^\d+\.\d+$/);
});

test('an older PostgreSQL than 15 is refused with both versions', async () => {
  await expect(readPostgresVersion(await openOldPostgres('14.19'), 10_000)).rejects.toThrow(
    'it is PostgreSQL 14.19, and the oldest supported version is 15',
  );
  expect(await readPostgresVersion(await openOldPostgres('15.0 (Debian)'), 10_000)).toBe('15.0');
});
