import { expect, test } from 'vitest';
import type { ClientChanges } from '#contract/client.ts';
import { refuse } from '#domain/refusal.ts';
import { HOUR_MS } from '#domain/time/time.ts';
import { findAppointment } from '#server/database/appointments.ts';
import { findMail, insertMails } from '#server/database/mails.ts';
import { loadClient, updateClient } from '#server/operations/clients/clients.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, addClient, createAppointmentFacts, NOON } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';

test('changing a client leaves the details on their appointments unchanged', async () => {
  const { context, artist } = await openArtistContext();
  const id = await addClient(context.database, artist);
  const appointment = await addAppointment(context.database, artist, { client: id });
  const changes = { notes: 'Latex', first_name: 'R' };
  const changed = await updateClient(context, artist.id, id, changes);
  expect(changed).toMatchObject({ notes: 'Latex', first_name: 'R', last_name: 'Quint' });
  const row = await context.database
    .selectFrom('appointments')
    .select('first_name')
    .where('id', '=', appointment)
    .executeTakeFirst();
  expect(row).toEqual({ first_name: 'Rosa' });
});

test('notes from a second device with the same version are refused; other details raise no version', async () => {
  const { context, artist } = await openArtistContext();
  const id = await addClient(context.database, artist);
  const change = (changes: ClientChanges) => updateClient(context, artist.id, id, changes);
  const { version } = await change({ first_name: 'R' });
  const saved = await change({ notes: 'Latex', version });
  expect(saved).toMatchObject({ notes: 'Latex', version: version + 1 });
  expect(await change({ notes: 'Latex', version })).toEqual(saved);
  const stale = change({ notes: 'Faints', first_name: 'Rosa', version });
  await expect(stale).rejects.toThrow(refuse('stale_notes'));
  expect(await loadClient(context, artist.id, id, NOON)).toEqual(saved);
  expect(await change({ first_name: 'Rosa', version })).toMatchObject({ notes: 'Latex' });
  expect(await change({ notes: 'Tea' })).toMatchObject({ notes: 'Tea', version: version + 2 });
});

test('a corrected email reaches the client’s open and upcoming appointments and the queued mails', async () => {
  const { context, artist } = await openArtistContext();
  const { database } = context;
  const [wrong, right] = ['rosa@exmaple.com', 'rosa@example.com'];
  const id = await addClient(database, artist, { email: wrong });
  const add = (changes: Partial<Parameters<typeof addAppointment>[2]>) =>
    addAppointment(database, artist, { client: id, email: wrong, ...changes });
  const ids = {
    ahead: await add({ email: wrong.toUpperCase() }),
    requested: await add({ status: 'requested', start: null }),
    withoutEmail: await add({ start: NOON + 2 * HOUR_MS, email: null }),
    past: await add({ start: Date.now() - 48 * HOUR_MS }),
    // It can be confirmed again.
    expired: await add({ status: 'expired', start: NOON + 6 * HOUR_MS }),
    cancelled: await add({ status: 'cancelled', start: null }),
    other: await add({ start: NOON + 4 * HOUR_MS, email: 'max@example.com' }),
  };
  const facts = createAppointmentFacts(artist, ids.ahead);
  const appointment = { ...facts, client: { ...facts.client, email: wrong } };
  const notices = [
    { kind: 'booked', appointment },
    { kind: 'new_booking', appointment },
  ] as const;
  const [booked = '', newBooking = ''] = await inTransaction(database, insertMails, { notices });
  await updateClient(context, artist.id, id, { email: right });
  const emails = new Map<string, string | null>();
  for (const [name, appointmentId] of Object.entries(ids))
    emails.set(name, (await findAppointment(database, artist.id, appointmentId))?.email ?? null);
  expect(Object.fromEntries(emails)).toEqual({
    ahead: right,
    requested: right,
    withoutEmail: right,
    past: wrong,
    expired: right,
    cancelled: wrong,
    other: 'max@example.com',
  });
  expect(await findMail(database, booked)).toMatchObject({
    address: right,
    notice: { appointment: { client: { email: right } } },
  });
  expect((await findMail(database, newBooking))?.address).toBe(artist.email);
});
