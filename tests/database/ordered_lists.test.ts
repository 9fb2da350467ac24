import { expect, test } from 'vitest';
import { moveToPosition, type OrderedList } from '#server/database/ordered_lists.ts';
import { deleteService, listServices } from '#server/operations/catalogue/services.ts';
import { change } from '#server/operations/change.ts';
import type { Context } from '#server/operations/context.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { type ArtistRow, addService } from '#support/database_rows.ts';

const ALL = { skip: 0, limit: 100 };

async function loadOrder(context: Context, artist: ArtistRow): Promise<string> {
  const { data } = await listServices(context, artist.id, ALL);
  return data.map(({ name }) => name).join('');
}

async function addArtistWithServices() {
  const { context, database, artist } = await openArtistContext();
  const ids: Record<string, string> = {};
  for (const [position, name] of ['a', 'b', 'c', 'd'].entries())
    ids[name] = (await addService(database, artist, { name, position })).id;
  const move = (name: string, position: number, list: OrderedList = 'services') =>
    change(context, { lock: 'artist', artistId: artist.id, invalidates: [] }, ({ database }) =>
      moveToPosition(
        database,
        list,
        { id: ids[name] ?? crypto.randomUUID(), artistId: artist.id },
        position,
      ),
    );
  return { context, database, artist, ids, move };
}

test('an item moves forward, back and to both ends of its list', async () => {
  const { context, artist, move } = await addArtistWithServices();
  const steps: [string, number, string][] = [
    ['a', 2, 'bcad'],
    ['d', 1, 'bdca'],
    ['a', 0, 'abdc'],
    ['b', 1_000_000, 'adcb'],
    ['c', 2, 'adcb'],
  ];
  for (const [name, position, order] of steps) {
    await move(name, position);
    expect(await loadOrder(context, artist)).toBe(order);
  }
});

test('after a move, positions count from zero without gaps, ignoring deleted services', async () => {
  const { context, database, artist, ids, move } = await addArtistWithServices();
  await deleteService(context, artist.id, ids['b'] ?? '');
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
  const { context, artist, move } = await addArtistWithServices();
  await Promise.all([move('a', 3), move('b', 3), move('c', 3)]);
  expect((await loadOrder(context, artist)).split('').sort().join('')).toBe('abcd');
  expect((await loadOrder(context, artist)).startsWith('d')).toBe(true);
});
