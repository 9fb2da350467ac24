import { expect, test } from 'vitest';
import type { Database } from '#server/database/connect.ts';
import { readSnapshot } from '#server/operations/snapshot.ts';
import { addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

test('reads of a snapshot do not see what others commit meanwhile, and it refuses writes', async () => {
  const { database } = await openTestApp();
  const { id } = await addArtist(database, { full_name: 'Before' });
  const rename = (from: { database: Database }) =>
    from.database.updateTable('artists').set({ full_name: 'After' }).where('id', '=', id).execute();
  await readSnapshot({ database }, async (snapshot) => {
    const name = () =>
      snapshot.database
        .selectFrom('artists')
        .select('full_name')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    expect(await name()).toEqual({ full_name: 'Before' });
    await rename({ database });
    expect(await name()).toEqual({ full_name: 'Before' });
  });
  await expect(readSnapshot({ database }, rename)).rejects.toThrow('read-only');
});
