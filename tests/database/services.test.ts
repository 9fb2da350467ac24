import { expect, test } from 'vitest';
import { insertService, listServices } from '#server/database/services.ts';
import { addArtist, addService } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const ALL = { skip: 0, limit: 100 };
const EVERY = { onlyAvailable: false };
async function addTwoArtists() {
  const { database } = await openTestApp();
  return { database, artist: await addArtist(database), other: await addArtist(database) };
}

test('an artist’s services are listed by position, then by creation', async () => {
  const { database, artist, other } = await addTwoArtists();
  await addService(database, other, { name: 'Foreign' });
  for (const [name, position] of [
    ['second', 1],
    ['first', 0],
    ['third', 1],
  ] as const)
    await addService(database, artist, { name, position });
  const { rows, count } = await listServices(database, artist.id, EVERY, ALL);
  expect([rows.map(({ name }) => name), count]).toEqual([['first', 'second', 'third'], 3]);
});

test('the database refuses a duration under 5 minutes or over a day', async () => {
  const { database, artist } = await addTwoArtists();
  for (const duration_minutes of [0, 4, 1441])
    await expect(
      insertService(database, {
        artist_id: artist.id,
        name: 'Flash',
        description: '',
        duration_minutes,
      }),
      String(duration_minutes),
    ).rejects.toMatchObject({ code: '23514' });
});
