import { expect, test } from 'vitest';
import type { Database } from '#server/database/connect.ts';
import { moveToPosition, type OrderedList } from '#server/database/ordered_lists.ts';
import { deleteService, listServices } from '#server/database/services.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { type ArtistRow, addService } from '#support/database_rows.ts';

const ALL = { skip: 0, limit: 100 };

async function loadOrder(database: Database, artist: ArtistRow): Promise<string> {
  const { rows } = await listServices(database, artist.id, { onlyAvailable: false }, ALL);
  return rows.map(({ name }) => name).join('');
}

async function addArtistWithServices() {
  const { database, artist } = await openArtistContext();
  const ids: Record<string, string> = {};
  for (const [position, name] of ['a', 'b', 'c', 'd'].entries())
    ids[name] = (await addService(database, artist, { name, position })).id;
  const move = (name: string, position: number, list: OrderedList = 'services') =>
    database
      .transaction()
      .execute((transaction) =>
        moveToPosition(transaction, list, artist.id, ids[name] ?? crypto.randomUUID(), position),
      );
  return { database, artist, ids, move };
}

test('an item moves forward, back and to both ends of its list', async () => {
  const { database, artist, move } = await addArtistWithServices();
  const steps: [string, number, string][] = [
    ['a', 2, 'bcad'],
    ['d', 1, 'bdca'],
    ['a', 0, 'abdc'],
    ['b', 1_000_000, 'adcb'],
    ['c', 2, 'adcb'],
  ];
  for (const [name, position, order] of steps) {
    expect(await move(name, position)).toBe(true);
    expect(await loadOrder(database, artist)).toBe(order);
  }
});

test('after a move, positions count from zero without gaps, ignoring deleted services', async () => {
  const { database, artist, ids, move } = await addArtistWithServices();
  await deleteService(database, artist.id, ids['b'] ?? '');
  await move('d', 0);
  const rows = await database
    .selectFrom('services')
    .select(['name', 'position'])
    .where('artist_id', '=', artist.id)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .execute();
  expect(rows.map(({ name, position }) => `${name}${position}`)).toEqual(['d0', 'a1', 'c2']);
});

test('concurrent moves run one after the other', async () => {
  const { database, artist, move } = await addArtistWithServices();
  expect(await Promise.all([move('a', 3), move('b', 3), move('c', 3)])).toEqual([true, true, true]);
  expect((await loadOrder(database, artist)).split('').sort().join('')).toBe('abcd');
  expect((await loadOrder(database, artist)).startsWith('d')).toBe(true);
});
