import { expect, test } from 'vitest';
import { findLastBackup, insertBackup } from '#server/database/backups.ts';
import { withRollback } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

test('the last backup is found with its time and size, and the newest hundred are kept', async () => {
  const { database } = await openTestApp();
  await withRollback(database, async (transaction) => {
    await transaction.deleteFrom('backups').execute();
    expect(await findLastBackup(transaction)).toBeUndefined();
    for (let nth = 1; nth <= 102; nth += 1)
      await insertBackup(transaction, {
        file: `${nth}.tar`,
        bytes: 5_000_000_000 + nth,
        seconds: nth,
      });
    const last = await findLastBackup(transaction);
    expect(last).toMatchObject({ file: '102.tar', bytes: 5_000_000_102, seconds: 102 });
    expect(Math.abs((last?.finishedAt ?? 0) - Date.now())).toBeLessThan(600_000);
    const rows = await transaction.selectFrom('backups').select('file').orderBy('id').execute();
    expect(rows).toHaveLength(100);
    expect(rows[0]).toEqual({ file: '3.tar' });
  });
});
