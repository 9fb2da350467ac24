import { expect, test } from 'vitest';
import type { Appointment } from '#contract/appointment.ts';
import { addDesignRow, expireAppointment, takeNewNotices } from '#support/app_rows.ts';
import { expectOk } from '#support/call_api.ts';
import { fetchConfirmation, openPricedApp } from '#support/priced_app.ts';
import { bookSlot, FILLED_FORM, findSlot } from '#support/test_app.ts';

test('an edited appointment has the price of its design, or else of its service, as when it is booked', async () => {
  const { app, artist, token, change, setServicePrice } = await openPricedApp();
  await setServicePrice({ kind: 'fixed', amount: 5_000 });
  const priced = await addDesignRow(app, artist, { name: 'Priced' });
  const plain = await addDesignRow(app, artist, { name: 'Plain' });
  await change(`/designs/${priced.id}`, { price: { kind: 'fixed', amount: 30_000 } });
  const slot = await findSlot(app, artist, 0);
  const json = { client: { first_name: 'Rosa' }, ...slot, design_id: priced.id };
  const { id } = await expectOk(app.call<Appointment>('POST /appointments', { token, json }));
  const edit = async (changes: object) =>
    (await change<Appointment>(`/appointments/${id}`, changes)).price?.amount;
  expect(await edit({ service_id: artist.service.id })).toBe(30_000);
  expect(await edit({ design_id: plain.id })).toBe(5_000);
  expect(await edit({ design_id: priced.id })).toBe(30_000);
  expect(await edit({ design_id: null })).toBe(5_000);
  expect(await edit({ service_id: null })).toBe(5_000);
});

test('the artist edits details, and the client sees them with a new version', async () => {
  const { app, artist, change } = await openPricedApp();
  const held = await bookSlot(app, artist, await findSlot(app, artist));
  const path = `/appointments/${held.id}`;
  const price = { kind: 'fixed', amount: 30_000 };
  const edited = await change<Appointment>(path, {
    ...{ price, note: 'See you!', private_notes: 'Nervous', version: 1 },
  });
  expect(edited).toMatchObject({ price, note: 'See you!', private_notes: 'Nervous', version: 2 });
  const seen = await fetchConfirmation(app, held.id);
  expect(seen).toMatchObject({ price, note: 'See you!', version: 2 });
  expect(JSON.stringify(seen)).not.toContain('Nervous');
  expect(seen.history.map(({ what }) => what)).toEqual(['held', 'edited']);
  // The same again, and notes that only the artist reads, change nothing for the client.
  await change(path, { price, private_notes: 'Calm' });
  expect(await fetchConfirmation(app, held.id)).toMatchObject({ version: 2 });
});

test('who edits a hold whose deadline has passed does not keep its client from the mail about that', async () => {
  const { app, artist, change } = await openPricedApp();
  const held = await bookSlot(app, artist, await findSlot(app, artist));
  await takeNewNotices(app);
  await expireAppointment(app, held.id);
  const edited = await change<Appointment>(`/appointments/${held.id}`, { note: 'See you!' });
  expect(edited).toMatchObject({ status: 'expired', note: 'See you!' });
  expect(await takeNewNotices(app)).toEqual([`expired to ${FILLED_FORM.email}`]);
});
