import { expect, test } from 'vitest';
import { listLiveImageStores, saveImageStore } from '#server/database/image_stores.ts';
import { openTestApp } from '#support/test_app.ts';

const FIRST = { store: 'a', server: 'one', place: '/data/media' };
const SECOND = { store: 'b', server: 'two', place: '/srv/media' };

test('a server is listed with its place until it has not been seen for half an hour', async () => {
  const { database } = await openTestApp({ database: 'own' });
  await saveImageStore(database, FIRST);
  await saveImageStore(database, SECOND);
  await saveImageStore(database, { ...FIRST, place: '/new/media' });
  const places = async () => (await listLiveImageStores(database)).map(({ place }) => place);
  expect((await places()).toSorted()).toEqual(['/new/media', '/srv/media']);

  const seenAt = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const setSeen = (store: string, minutes: number) =>
    database
      .updateTable('image_stores')
      .set({ seen_at: seenAt(minutes) })
      .where('store', '=', store)
      .execute();
  await setSeen('b', 31);
  expect(await places()).toEqual(['/new/media']);
  await setSeen('b', 8 * 24 * 60);
  await saveImageStore(database, FIRST);
  const rows = await database.selectFrom('image_stores').select('store').execute();
  expect(rows).toEqual([{ store: 'a' }]);
});
