import { expect, test } from 'vitest';
import { DAY_MS } from '#domain/time.ts';
import { listOpenDataRequests } from '#server/operations/clients/data_requests.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addArtist, addClient, addDataRequestRow, NOON } from '#support/database_rows.ts';

test('the open requests of an artist’s clients are listed, the oldest first, until the client is deleted', async () => {
  const { context, database, artist } = await openArtistContext();
  const clientId = await addClient(database, artist);
  const other = await addArtist(database);
  await addDataRequestRow(database, other.id, await addClient(database, other));
  const later = { asked_at: new Date(NOON + DAY_MS) };
  const second = await addDataRequestRow(database, artist.id, clientId, later);
  const first = await addDataRequestRow(database, artist.id, clientId, { kind: 'erasure' });
  const third = await addClient(database, artist);
  await addDataRequestRow(database, artist.id, third, { done_at: new Date(NOON) });
  // At most one of a kind is open.
  await expect(addDataRequestRow(database, artist.id, clientId)).rejects.toMatchObject({
    code: '23505',
  });
  const list = () => listOpenDataRequests(context, artist.id, { skip: 0, limit: 100 });
  const { data, count } = await list();
  expect(data.map(({ id }) => id)).toEqual([first, second]);
  expect(count).toBe(2);
  expect(data[0]).toMatchObject({
    client: { id: clientId, first_name: 'Rosa', last_name: 'Quint' },
  });
  await database.deleteFrom('clients').where('id', '=', clientId).execute();
  expect((await list()).count).toBe(0);
});
