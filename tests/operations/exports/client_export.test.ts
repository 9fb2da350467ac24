import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { call } from '#client/call.ts';
import * as endpoints from '#contract/endpoints.ts';
import { ClientExport } from '#contract/export.ts';
import { openArtistApp } from '#support/artist_app.ts';
import { FILLED_FORM, listSlots } from '#support/test_app.ts';

async function newClients() {
  const { app, artist } = await openArtistApp({ database: 'own' });
  const [first, second] = (await listSlots(app, artist)).slice(4);
  if (!first || !second) throw new Error('The artist has too few slots');
  const query = { username: artist.username };
  const form = { ...FILLED_FORM, service_id: artist.service.id };
  await call(app.http(), endpoints.bookService, { query, body: { ...form, ...first } });
  const other = { ...form, ...second, first_name: 'Ines', email: 'ines@example.com' };
  await call(app.http(), endpoints.bookService, { query, body: other });
  for (const email of [FILLED_FORM.email.toUpperCase(), 'ines@example.com'])
    await call(app.http(), endpoints.sendContactMessage, {
      path: { username: artist.username },
      body: { name: 'Someone', email, message: 'Hello' },
    });
  await app.runMinutelyTasks(Date.now() + 5 * 60_000);
  await app.mails();
  const { data } = await call(artist.http, endpoints.listClients);
  const rosa = data.find(({ email }) => email === FILLED_FORM.email);
  if (!rosa) throw new Error('There is no such client');
  return { artist, rosa };
}

test('the copy of a client’s data has all of theirs by the contract, and nothing of another client', async () => {
  const { artist, rosa } = await newClients();
  const copy = await call(artist.http, endpoints.exportClient, { path: { client_id: rosa.id } });
  expect(z.parse(z.strictObject(ClientExport.shape), copy)).toEqual(copy);
  expect(copy.client).toEqual(rosa);
  expect(copy.appointments.map(({ client }) => client.id)).toEqual([rosa.id]);
  const ids = copy.appointments.map(({ id }) => id);
  expect(new Set(copy.history.map(({ appointment_id }) => appointment_id))).toEqual(new Set(ids));
  expect(copy.messages.map(({ email }) => email.toLowerCase())).toEqual([FILLED_FORM.email]);
  expect(copy.mails.length).toBeGreaterThan(0);
  for (const mail of copy.mails)
    expect([mail.recipient, mail.address]).toEqual(['client', FILLED_FORM.email]);
  expect(JSON.stringify(copy)).not.toContain('ines@example.com');
});

test('the copy of a kept client has what both had, also by the id of the merged one', async () => {
  const { artist, rosa } = await newClients();
  const { data } = await call(artist.http, endpoints.listClients);
  const ines = data.find(({ id }) => id !== rosa.id);
  if (!ines) throw new Error('There is no second client');
  const copyOf = ({ id }: Pick<typeof rosa, 'id'>) =>
    call(artist.http, endpoints.exportClient, { path: { client_id: id } });
  const [before, beforeOfInes] = [await copyOf(rosa), await copyOf(ines)];
  await call(artist.http, endpoints.mergeClients, {
    path: { client_id: rosa.id },
    body: { client_id: ines.id },
  });
  const copy = await copyOf(ines);
  expect(copy).toEqual(await copyOf(rosa));
  expect(copy.client.id).toBe(rosa.id);
  for (const list of ['appointments', 'history', 'messages', 'mails'] as const)
    expect(copy[list], list).toHaveLength(before[list].length + beforeOfInes[list].length);
});
