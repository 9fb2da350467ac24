import { expect, test } from 'vitest';
import { changeClient, listClients, readClient } from '#server/operations/clients.ts';
import { addAppointment, addArtist, addClient, NOON } from '#support/own_rows.ts';
import { openParts } from '#support/parts.ts';

const PAGE = { skip: 0, limit: 100 };

async function open() {
  const { parts } = await openParts();
  const artist = await addArtist(parts.database);
  return { parts, artist };
}

test('a client is shown with their visits, and no other column', async () => {
  const { parts, artist } = await open();
  const id = await addClient(parts.database, artist, { email: 'rosa@example.com' });
  await addAppointment(parts.database, artist, { client: id });
  const client = await readClient(parts, artist.id, id, NOON - 1);
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

test('a list of clients is searched and counted', async () => {
  const { parts, artist } = await open();
  await addClient(parts.database, artist, { first_name: 'Rosa' });
  await addClient(parts.database, artist, { first_name: 'Max' });
  const all = await listClients(parts, artist.id, { ...PAGE, limit: 1 }, NOON);
  expect([all.data.length, all.count]).toEqual([1, 2]);
  const found = await listClients(parts, artist.id, { ...PAGE, search: 'max' }, NOON);
  expect(found.data.map(({ first_name }) => first_name)).toEqual(['Max']);
});

test('another artist’s client is not found', async () => {
  const { parts, artist } = await open();
  const id = await addClient(parts.database, artist);
  const other = await addArtist(parts.database);
  const notFound = { reason: 'not_found' };
  await expect(readClient(parts, other.id, id, NOON)).rejects.toMatchObject(notFound);
  const changing = changeClient(parts, other.id, id, { notes: 'Mine' }, NOON);
  await expect(changing).rejects.toMatchObject(notFound);
});

test('notes are saved, and what a client wrote with an appointment stays', async () => {
  const { parts, artist } = await open();
  const id = await addClient(parts.database, artist);
  const appointment = await addAppointment(parts.database, artist, { client: id });
  const changed = await changeClient(
    parts,
    artist.id,
    id,
    { notes: 'Latex', first_name: 'R' },
    NOON,
  );
  expect(changed).toMatchObject({ notes: 'Latex', first_name: 'R', last_name: 'Quint' });
  const row = await parts.database
    .selectFrom('appointments')
    .select('first_name')
    .where('id', '=', appointment)
    .executeTakeFirst();
  expect(row).toEqual({ first_name: 'Rosa' });
});

test('the email of another client, in any case of letters, is refused', async () => {
  const { parts, artist } = await open();
  await addClient(parts.database, artist, { email: 'taken@example.com' });
  const id = await addClient(parts.database, artist);
  const changing = changeClient(parts, artist.id, id, { email: 'Taken@Example.com' }, NOON);
  await expect(changing).rejects.toMatchObject({ reason: 'client_email_taken' });
});
