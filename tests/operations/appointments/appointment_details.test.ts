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

test('private notes from a second device with the same version are refused, and nothing of the client’s view changes', async () => {
  const { app, artist, token, change } = await openPricedApp();
  const held = await bookSlot(app, artist, await findSlot(app, artist));
  const path = `/appointments/${held.id}`;
  const write = (json: object) => app.call<Appointment>(`PATCH ${path}`, { token, json });
  const opened = await change<Appointment>(path, { private_notes: 'Nervous' });
  const { version, private_version } = opened;
  const first = { private_notes: 'Nervous, likes tea', version, private_version };
  const saved = await expectOk(write(first));
  expect(saved).toMatchObject({ version, private_version: private_version + 1 });
  // An answer that was lost: the same again changes nothing.
  expect(await expectOk(write(first))).toEqual(saved);
  const stale = { ...first, private_notes: 'Faints', price: { kind: 'fixed', amount: 30_000 } };
  expect(await write(stale)).toMatchObject({
    status: 409,
    body: { detail: 'These notes were changed elsewhere in the meantime. Nothing was saved.' },
  });
  expect(await expectOk(app.call(`GET ${path}`, { token }))).toEqual(saved);
  // Without a version, a call overwrites as before.
  expect((await change<Appointment>(path, { private_notes: 'Calm' })).private_notes).toBe('Calm');
});

test('a next session with a stale version of the shared notes is refused, and sessions share a change', async () => {
  const { app, artist, token, change } = await openPricedApp();
  const json = { client: { first_name: 'Rosa' }, ...(await findSlot(app, artist, 0)) };
  const first = await expectOk(app.call<Appointment>('POST /appointments', { token, json }));
  await change(`/appointments/${first.id}`, { private_notes: 'Thick lines' });
  const next = (private_version: number) => ({
    ...{ client_id: first.client.id, next_session_of: first.id },
    ...{ start: '2030-06-03T10:00:00Z', end: '2030-06-03T10:59:00Z' },
    ...{ private_notes: 'Thin lines', private_version },
  });
  const enter = (version: number) =>
    app.call<Appointment>('POST /appointments', { token, json: next(version) });
  expect((await enter(first.private_version)).status).toBe(409);
  expect((await enter(first.private_version + 1)).status).toBe(201);
  const shared = { private_notes: 'Thin lines', private_version: first.private_version + 2 };
  expect(await expectOk(app.call(`GET /appointments/${first.id}`, { token }))).toMatchObject(
    shared,
  );
});
