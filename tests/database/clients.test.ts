import { expect, test } from 'vitest';
import type { AppointmentStatus } from '#domain/appointments/appointment.ts';
import { HOUR_MS } from '#domain/time/time.ts';
import {
  findClient,
  updateClientEmail,
  updateEmailFailed,
  upsertClient,
} from '#server/database/clients.ts';
import { listClients, loadClient, updateClient } from '#server/operations/clients/clients.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, addArtist, addClient, NOON } from '#support/database_rows.ts';

const ALL = { skip: 0, limit: 100 };

async function setUp() {
  const { context, database, artist } = await openArtistContext();
  const names = async (search?: string) => {
    const { data } = await listClients(context, artist.id, { ...ALL, search }, NOON);
    return data.map(({ first_name }) => first_name);
  };
  const load = (id: string) => loadClient(context, artist.id, id, NOON);
  return { context, database, artist, names, load };
}

test('clients are merged by email, ignoring case, and missing fields are filled', async () => {
  const { database, artist } = await setUp();
  const rosa = { artist_id: artist.id, first_name: 'Rosa', email: 'Rosa@Example.com' };
  const id = await upsertClient(database, rosa);
  const second = { ...rosa, email: 'rosa@example.COM', first_name: 'Eve', last_name: 'Quint' };
  expect(await upsertClient(database, second)).toBe(id);
  expect(await findClient(database, artist.id, id)).toMatchObject({
    first_name: 'Rosa',
    last_name: 'Quint',
    email: 'Rosa@Example.com',
  });
});

test('clients without an email, or of different artists, are never merged', async () => {
  const { database, artist } = await setUp();
  const other = await addArtist(database);
  const email = 'rosa@example.com';
  const ids = [
    await addClient(database, artist, { email: null }),
    await addClient(database, artist, { email: null }),
    await addClient(database, artist, { email }),
    await addClient(database, other, { email }),
  ];
  expect(new Set(ids).size).toBe(4);
});

test('another artist’s client cannot be found or changed', async () => {
  const { context, database, artist, load } = await setUp();
  const other = await addArtist(database);
  const id = await addClient(database, artist);
  expect(await findClient(database, other.id, id)).toBeUndefined();
  const notFound = { reason: 'not_found' };
  await expect(loadClient(context, other.id, id, NOON)).rejects.toMatchObject(notFound);
  const changing = updateClient(context, other.id, id, { notes: 'Mine' });
  await expect(changing).rejects.toMatchObject(notFound);
  expect((await load(id)).notes).toBe('');
});

test('clients are searched by part of the name, the email or the phone number in any spelling', async () => {
  const { database, artist, names } = await setUp();
  await addClient(database, artist, { first_name: 'Rosa', phone_number: '+12125550100' });
  await addClient(database, artist, { first_name: 'Max', last_name: '100%', email: 'max@ink.org' });
  await addClient(database, artist, { first_name: 'Jo', phone_number: '+442079460958' });
  for (const [name, ...searches] of [
    ['Max', 'INK.org', '%', 'ax 10'],
    ['Rosa', '(212) 555-0100', '212 555 0100', '212.555.0100', '+1 212 555 0100'],
    ['Rosa', '1 (212) 555-0100', '+1 212', '2125550100', '555-01', '0100', 'rosa qu'],
    // As it is dialled at home.
    ['Jo', '020 7946 0958', '+44 (0)20 7946', '0044 20 7946'],
  ])
    for (const search of searches) expect(await names(search), search).toEqual([name]);
  expect(await names('nobody')).toEqual([]);
});

test('the client with the latest appointment, or added last, is listed first', async () => {
  const { database, artist, names } = await setUp();
  const first = await addClient(database, artist, { first_name: 'First' });
  await addClient(database, artist, { first_name: 'Second' });
  expect(await names()).toEqual(['Second', 'First']);
  await addAppointment(database, artist, { client: first });
  expect(await names()).toEqual(['First', 'Second']);
});

test('a client’s bookings are counted, with the last one that began and the next booked one', async () => {
  const { database, artist, load } = await setUp();
  const client = await addClient(database, artist);
  const at = (days: number, status: AppointmentStatus) =>
    addAppointment(database, artist, { client, status, start: NOON + days * 24 * HOUR_MS });
  await at(-6, 'declined');
  await at(-5, 'expired');
  await at(-4, 'no_show');
  await at(-3, 'completed');
  await at(-2, 'confirmed');
  await at(-1, 'cancelled');
  await at(1, 'held');
  await at(2, 'confirmed');
  await at(3, 'offered');
  await addAppointment(database, artist, { client, status: 'requested', start: null });
  expect(await load(client)).toMatchObject({
    appointment_count: 4,
    last_appointment: '2030-06-01T12:00:00Z',
    next_appointment: '2030-06-05T12:00:00Z',
  });
});

test('a failed email is flagged until the address changes or a mail succeeds', async () => {
  const { context, database, artist, load } = await setUp();
  const email = 'rosa@example.com';
  const id = await addClient(database, artist, { email });
  const failedAt = async () => (await load(id)).email_failed_at;
  await updateEmailFailed(database, artist.id, 'ROSA@example.com', { hasFailed: true });
  const since = await failedAt();
  expect(since).not.toBeNull();
  await updateEmailFailed(database, artist.id, email, { hasFailed: true });
  expect(await failedAt()).toEqual(since);
  await updateClient(context, artist.id, id, { email: 'Rosa@example.com' });
  expect(await failedAt()).toEqual(since);
  await updateClient(context, artist.id, id, { email: 'rosa@example.org' });
  expect(await failedAt()).toBeNull();
  await updateEmailFailed(database, artist.id, 'rosa@example.org', { hasFailed: true });
  await updateEmailFailed(database, artist.id, 'rosa@example.org', { hasFailed: false });
  expect(await failedAt()).toBeNull();
});

test('a corrected email is saved, unless another client has it or it was changed meanwhile', async () => {
  const { database, artist } = await setUp();
  const id = await addClient(database, artist, { email: 'wrong@example.com' });
  await addClient(database, artist, { email: 'taken@example.com' });
  const row = { artist_id: artist.id, client_id: id, email: 'WRONG@example.com' };
  const email = async () => (await findClient(database, artist.id, id))?.email;
  await updateClientEmail(database, row, 'TAKEN@example.com');
  expect(await email()).toBe('wrong@example.com');
  await updateClientEmail(database, row, 'right@example.com');
  expect(await email()).toBe('right@example.com');
  await updateClientEmail(database, row, 'late@example.com');
  await updateClientEmail(database, { ...row, email: null }, 'late@example.com');
  expect(await email()).toBe('right@example.com');
});
