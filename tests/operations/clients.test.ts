import { expect, test } from 'vitest';
import { listClients, loadClient, updateClient } from '#server/operations/clients.ts';
import { addAppointment, addArtist, addClient, NOON } from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

const PAGE = { skip: 0, limit: 100 };

async function setUp() {
  const { context } = await openTestContext();
  const artist = await addArtist(context.database);
  return { context, artist };
}

test('a client has exactly the public fields, with their appointment count and next appointment', async () => {
  const { context, artist } = await setUp();
  const id = await addClient(context.database, artist, { email: 'rosa@example.com' });
  await addAppointment(context.database, artist, { client: id });
  const client = await loadClient(context, artist.id, id, NOON - 1);
  expect(client).toEqual({
    id,
    first_name: 'Rosa',
    last_name: 'Quint',
    pronouns: null,
    email: 'rosa@example.com',
    phone_number: null,
    preferred_contact: null,
    notes: '',
    email_failed_at: null,
    appointment_count: 1,
    last_appointment: null,
    next_appointment: '2030-06-03T12:00:00Z',
    created_at: client.created_at,
  });
});

test('clients are paginated with their total count, and searched by name', async () => {
  const { context, artist } = await setUp();
  await addClient(context.database, artist, { first_name: 'Rosa' });
  await addClient(context.database, artist, { first_name: 'Max' });
  const all = await listClients(context, artist.id, { ...PAGE, limit: 1 }, NOON);
  expect([all.data.length, all.count]).toEqual([1, 2]);
  const found = await listClients(context, artist.id, { ...PAGE, search: 'max' }, NOON);
  expect(found.data.map(({ first_name }) => first_name)).toEqual(['Max']);
});

test('another artist’s client cannot be read or changed', async () => {
  const { context, artist } = await setUp();
  const id = await addClient(context.database, artist);
  const other = await addArtist(context.database);
  const notFound = { reason: 'not_found' };
  await expect(loadClient(context, other.id, id, NOON)).rejects.toMatchObject(notFound);
  const update = updateClient(context, other.id, id, { notes: 'Mine' }, NOON);
  await expect(update).rejects.toMatchObject(notFound);
});

test('changing a client leaves the details on their appointments unchanged', async () => {
  const { context, artist } = await setUp();
  const id = await addClient(context.database, artist);
  const appointment = await addAppointment(context.database, artist, { client: id });
  const changed = await updateClient(
    context,
    artist.id,
    id,
    { notes: 'Latex', first_name: 'R' },
    NOON,
  );
  expect(changed).toMatchObject({ notes: 'Latex', first_name: 'R', last_name: 'Quint' });
  const row = await context.database
    .selectFrom('appointments')
    .select('first_name')
    .where('id', '=', appointment)
    .executeTakeFirst();
  expect(row).toEqual({ first_name: 'Rosa' });
});

test('the email of another client is refused in any letter case', async () => {
  const { context, artist } = await setUp();
  await addClient(context.database, artist, { email: 'taken@example.com' });
  const id = await addClient(context.database, artist);
  const update = updateClient(context, artist.id, id, { email: 'Taken@Example.com' }, NOON);
  await expect(update).rejects.toMatchObject({ reason: 'client_email_taken' });
});
