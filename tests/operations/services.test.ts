import { expect, test } from 'vitest';
import { updateArtist } from '#server/database/artists.ts';
import {
  changeService,
  createService,
  listAvailableServices,
  listOwnServices,
  readAvailableService,
  readOwnService,
  removeService,
} from '#server/operations/services.ts';
import { addArtist } from '#support/own_rows.ts';
import { openParts } from '#support/parts.ts';

const PAGE = { skip: 0, limit: 100 };
const NEW = { name: 'Flash', description: 'A palm-sized piece.', duration: 60, is_available: true };
const NOT_FOUND = { reason: 'not_found' };

async function open() {
  const opened = await openParts();
  const artist = await addArtist(opened.parts.database);
  return { ...opened, artist };
}

test('a new service is last, shown without its columns, and the services are invalidated', async () => {
  const { parts, artist, cleared } = await open();
  await createService(parts, artist.id, { ...NEW, name: 'First' });
  const moved = await createService(parts, artist.id, { ...NEW, name: 'Moved' });
  await changeService(parts, artist.id, moved.id, { position: 0 });
  const service = await createService(parts, artist.id, NEW);
  expect(service).toEqual({ id: service.id, ...NEW });
  const { data } = await listOwnServices(parts, artist.id, PAGE);
  expect(data.map(({ name }) => name)).toEqual(['Moved', 'First', 'Flash']);
  expect(new Set(cleared)).toEqual(new Set([`services:${artist.id}`]));
});

test('clients see services they can book, tagged with the artist and the services', async () => {
  const { parts, artist } = await open();
  const { id } = await createService(parts, artist.id, { ...NEW, is_available: false });
  const shown = await createService(parts, artist.id, NEW);
  expect(await listAvailableServices(parts, artist.username.toUpperCase(), PAGE)).toEqual({
    answer: { data: [shown], count: 1 },
    tags: [`artist:${artist.id}`, `services:${artist.id}`],
    until: null,
  });
  await expect(readAvailableService(parts, artist.username, id)).rejects.toMatchObject(NOT_FOUND);
  expect((await readOwnService(parts, artist.id, id)).is_available).toBe(false);
});

test('an artist who is not active offers nothing', async () => {
  const { parts, artist } = await open();
  const { id } = await createService(parts, artist.id, NEW);
  await updateArtist(parts.database, artist.id, { is_active: false });
  const { username } = artist;
  await expect(listAvailableServices(parts, username, PAGE)).rejects.toMatchObject(NOT_FOUND);
  await expect(readAvailableService(parts, username, id)).rejects.toMatchObject(NOT_FOUND);
});

test('a service is changed and moved at once, and fields left out keep their value', async () => {
  const { parts, artist } = await open();
  await createService(parts, artist.id, { ...NEW, name: 'First' });
  const { id } = await createService(parts, artist.id, NEW);
  const changed = await changeService(parts, artist.id, id, { duration: 90, position: 0 });
  expect(changed).toEqual({ id, ...NEW, duration: 90 });
  const { data } = await listOwnServices(parts, artist.id, PAGE);
  expect(data.map(({ name }) => name)).toEqual(['Flash', 'First']);
});

test('another artist’s service is not found, and nothing is invalidated', async () => {
  const { parts, artist, cleared } = await open();
  const { id } = await createService(parts, artist.id, NEW);
  const other = await addArtist(parts.database);
  cleared.length = 0;
  await expect(readOwnService(parts, other.id, id)).rejects.toMatchObject(NOT_FOUND);
  const changing = changeService(parts, other.id, id, { name: 'Mine', position: 0 });
  await expect(changing).rejects.toMatchObject(NOT_FOUND);
  expect(cleared).toEqual([]);
  await expect(removeService(parts, other.id, id)).rejects.toMatchObject(NOT_FOUND);
});

test('a deleted service is gone, and deleting it again finds nothing', async () => {
  const { parts, artist } = await open();
  const { id } = await createService(parts, artist.id, NEW);
  await removeService(parts, artist.id, id);
  expect((await listOwnServices(parts, artist.id, PAGE)).count).toBe(0);
  await expect(removeService(parts, artist.id, id)).rejects.toMatchObject(NOT_FOUND);
});
