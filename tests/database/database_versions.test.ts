import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import {
  assertCanRun,
  canOlderServersRun,
  describeUnreleased,
  OtherVersion,
} from '#server/database/database_versions.ts';

const FOLDER = 'src/server/database/migrations';

test('every migration says whether older servers can run with it', async () => {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql'));
  for (const name of names)
    expect(canOlderServersRun(name, await readFile(`${FOLDER}/${name}`, 'utf8'))).toBeTypeOf(
      'boolean',
    );
});

test.each([
  ['-- Older servers can run with this migration: they ignore the column.\nSELECT 1', true],
  ['-- Older servers cannot run with this migration: the column is gone.\nSELECT 1', false],
])('a migration that begins with %j is read as %s', (text, answer) => {
  expect(canOlderServersRun('0099_new.sql', text)).toBe(answer);
});

test.each([
  'ALTER TABLE artists ADD COLUMN x text;\n-- Older servers can run with this migration: no.',
  '-- Older servers can run with this migration:\nSELECT 1',
])('a migration without a statement and its reason in the first line is refused: %j', (text) => {
  expect(() => canOlderServersRun('0099_new.sql', text)).toThrow('The first line of 0099_new.sql');
});

const can = { name: '0098_can.sql', older_can_run: true };
const cannot = { name: '0099_cannot.sql', older_can_run: false };

test('an unknown migration is refused by name, with the ways out, unless the operator accepts those that allow older servers', () => {
  expect(() => assertCanRun([], false)).not.toThrow();
  expect(() => assertCanRun([can], true)).not.toThrow();
  expect(() => assertCanRun([can], false)).toThrow(OtherVersion);
  expect(() => assertCanRun([can], false)).toThrow(
    /newer version of Linework .* 0098_can\.sql\. Start the newer version, or restore a backup .* ALLOW_NEWER_DATABASE=1/,
  );
});

test('a migration that forbids older servers is refused even when the operator allows it', () => {
  expect(() => assertCanRun([can, cannot], true)).toThrow(
    'does not know 0098_can.sql, 0099_cannot.sql. Older versions cannot run with 0099_cannot.sql, so',
  );
});

test('a database or backup from before 0.1 gets a sentence that says what to do', () => {
  const names = ['0001_booking.sql', '0002_studio.sql'];
  expect(describeUnreleased(names, 'backup')).toMatch(
    /^This backup was made by a version of Linework before 0\.1, .*Restore it with the version that made it/,
  );
  expect(describeUnreleased(['0001_schema.sql', '0002_later.sql'], 'database')).toBeUndefined();
});
