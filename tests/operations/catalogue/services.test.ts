import { expect, test } from 'vitest';
import { updateArtist } from '#server/database/artists.ts';
import {
  createService,
  listAvailableServices,
  listServices,
  loadAvailableService,
  loadService,
  updateService,
} from '#server/operations/catalogue/services.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addService } from '#support/database_rows.ts';

const PAGE = { skip: 0, limit: 100 };
const NEW = {
  name: 'Flash',
  description: 'A palm-sized piece.',
  duration: 60,
  is_available: true,
  price: null,
};
const NOT_FOUND = { reason: 'not_found' };

test('a new service is last in the list, has only its public fields, and invalidates the services', async () => {
  const { context, artist, invalidatedTags } = await openArtistContext();
  await createService(context, artist.id, { ...NEW, name: 'First' });
  const moved = await createService(context, artist.id, { ...NEW, name: 'Moved' });
  await updateService(context, artist.id, moved.id, { position: 0 });
  const service = await createService(context, artist.id, NEW);
  expect(service).toEqual({ id: service.id, ...NEW });
  const { data } = await listServices(context, artist.id, PAGE);
  expect(data.map(({ name }) => name)).toEqual(['Moved', 'First', 'Flash']);
  expect(new Set(invalidatedTags)).toEqual(new Set([`services:${artist.id}`]));
});

test('clients see only available services, tagged with artist and services', async () => {
  const { context, artist } = await openArtistContext();
  const { id } = await createService(context, artist.id, { ...NEW, is_available: false });
  const shown = await createService(context, artist.id, NEW);
  expect(await listAvailableServices(context, artist.username.toUpperCase(), PAGE)).toEqual({
    value: { data: [shown], count: 1 },
    tags: [`artist:${artist.id}`, `services:${artist.id}`],
    until: null,
  });
  await expect(loadAvailableService(context, artist.username, id)).rejects.toMatchObject(NOT_FOUND);
  expect((await loadService(context, artist.id, id)).is_available).toBe(false);
});

test('services of an inactive artist are not found', async () => {
  const { context, artist } = await openArtistContext();
  const { id } = await createService(context, artist.id, NEW);
  await updateArtist(context.database, artist.id, { is_active: false });
  const { username } = artist;
  await expect(listAvailableServices(context, username, PAGE)).rejects.toMatchObject(NOT_FOUND);
  await expect(loadAvailableService(context, username, id)).rejects.toMatchObject(NOT_FOUND);
});

test('the database refuses a duration under 5 minutes or over a day', async () => {
  const { database, artist } = await openArtistContext();
  for (const duration_minutes of [0, 4, 1441])
    await expect(
      addService(database, artist, { duration_minutes }),
      String(duration_minutes),
    ).rejects.toMatchObject({ code: '23514' });
});
