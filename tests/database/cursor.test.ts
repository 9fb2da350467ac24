import { expect, test } from 'vitest';
import { readRows } from '#server/database/cursor.ts';
import { openArtistContext } from '#support/artist_app.ts';

const COUNT = 450;

test('a cursor reads each row of a long list once, in order, one list after the other', async () => {
  const { database, artist } = await openArtistContext();
  const names = Array.from({ length: COUNT }, (_, nth) => `Service ${nth}`);
  const service = { artist_id: artist.id, description: '', duration_minutes: 60 };
  await database
    .insertInto('services')
    .values(names.map((name) => ({ ...service, name })))
    .execute();
  const select = (from: typeof database) =>
    from.selectFrom('services').select('name').where('artist_id', '=', artist.id).orderBy('id');
  const expected = await select(database).execute();
  await database.transaction().execute(async (transaction) => {
    for (let nth = 0; nth < 2; nth += 1) {
      const rows = await Array.fromAsync(readRows(transaction, select(transaction)));
      expect(rows).toEqual(expected);
    }
    const none = select(transaction).where('name', '=', 'None');
    expect(await Array.fromAsync(readRows(transaction, none))).toEqual([]);
  });
});
