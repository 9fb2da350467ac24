import { expect, test } from 'vitest';
import { isBackupOld } from '#domain/backup.ts';
import { HOUR_MS } from '#domain/time/time.ts';

test('a backup is old when it was finished more than 26 hours ago', () => {
  expect(isBackupOld(0, 26 * HOUR_MS)).toBe(false);
  expect(isBackupOld(0, 26 * HOUR_MS + 1)).toBe(true);
});
