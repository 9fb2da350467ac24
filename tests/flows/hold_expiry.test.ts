import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import { changeSchedule, confirmAppointment, fetchConfirmation } from '#contract/endpoints.ts';

import {
  countRows,
  expireAppointment,
  loadAppointmentRow,
  startAppointment,
} from '#support/app_rows.ts';
import { refusalOf } from '#support/call_api.ts';
import { TIME_TAKEN } from '#support/problems.ts';
import { bookSlot, findSlot, listSlots, openTestApp, requestSlot } from '#support/test_app.ts';

const OTHER = { email: 'other@example.com', first_name: 'Otto' };

test('a hold past its expiry reads as expired before the cleanup task runs', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const held = await bookSlot(app, artist, await findSlot(app, artist));
  await expireAppointment(app, held.id);
  const body = await call(app.http(), fetchConfirmation, { path: { appt_id: held.id } });
  const nothingLeft = { lapses_at: null, cancel_until: null, times: [] };
  expect(body).toStrictEqual({ ...held, ...nothingLeft, status: 'expired', can: ['confirm'] });
  expect(await loadAppointmentRow(app, held.id)).toEqual({ status: 'held', occupies: true });
});

test('an expired hold frees its time, and is marked expired when another client books it', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const held = await bookSlot(app, artist, slot);
  await expireAppointment(app, held.id);
  expect(await listSlots(app, artist)).toContainEqual(slot);
  expect(await requestSlot(app, artist, slot, OTHER)).toMatchObject({
    status: 201,
    body: { status: 'held', client: { first_name: 'Otto' } },
  });
  expect(await loadAppointmentRow(app, held.id)).toEqual({ status: 'expired', occupies: false });
  expect(await listSlots(app, artist)).not.toContainEqual(slot);
});

test('an expired hold can be confirmed while its time is free', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const held = await bookSlot(app, artist, slot);
  await expireAppointment(app, held.id);
  expect(await call(app.http(), confirmAppointment, { path: { appt_id: held.id } })).toMatchObject({
    status: 'confirmed',
    confirmed: true,
    start: slot.start,
    end: slot.end,
  });
  expect(await loadAppointmentRow(app, held.id)).toEqual({
    status: 'confirmed',
    occupies: true,
  });
  expect(await refusalOf(bookSlot(app, artist, slot, OTHER))).toMatchObject(TIME_TAKEN);
});

test('a hold that lost its time can be confirmed once the time is free again', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const slot = await findSlot(app, artist);
  const first = await bookSlot(app, artist, slot);
  await expireAppointment(app, first.id);
  const second = await bookSlot(app, artist, slot, OTHER);
  const confirm = () => app.call(`POST /appointments/confirmation/${first.id}`);
  expect(await confirm()).toMatchObject(TIME_TAKEN);
  await expireAppointment(app, second.id);
  expect(await confirm()).toMatchObject({ status: 200, body: { status: 'confirmed' } });
  expect(await loadAppointmentRow(app, second.id)).toEqual({
    status: 'expired',
    occupies: false,
  });
  expect(await countRows(app)).toMatchObject({ appointments: 2, occupied: 1 });
});

test('an expired hold cannot be confirmed after its start', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const held = await bookSlot(app, artist, await findSlot(app, artist));
  await expireAppointment(app, held.id);
  await startAppointment(app, held.id);
  expect(
    await refusalOf(call(app.http(), confirmAppointment, { path: { appt_id: held.id } })),
  ).toMatchObject(TIME_TAKEN);
  expect(await loadAppointmentRow(app, held.id)).toMatchObject({ status: 'held' });
});

test('an expired hold of a deactivated artist is refused after its start, and is still found', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const held = await bookSlot(app, artist, await findSlot(app, artist));
  await expireAppointment(app, held.id);
  await startAppointment(app, held.id);
  await app.database
    .updateTable('artists')
    .set({ is_active: false })
    .where('id', '=', artist.self.id)
    .execute();
  expect(
    await refusalOf(call(app.http(), confirmAppointment, { path: { appt_id: held.id } })),
  ).toMatchObject(TIME_TAKEN);
});

test('a hold expires after 30 minutes, or at the start of the appointment if that is earlier', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist({ duration: 15 });
  const json = { slot_interval_minutes: 5 };
  await call(app.http(artist.token), changeSchedule, { body: json });
  const later = await requestSlot(app, artist, await findSlot(app, artist, 100));
  const soon = await requestSlot(app, artist, await findSlot(app, artist, 1), OTHER);
  const expiresAt = async (id: string) => {
    const { expires_at } = await app.database
      .selectFrom('appointment_times')
      .select('expires_at')
      .where('appointment_id', '=', id)
      .executeTakeFirstOrThrow();
    return expires_at?.getTime() ?? 0;
  };
  const minutesLeft = ((await expiresAt(later.body.id)) - Date.now()) / 60_000;
  expect(minutesLeft).toBeGreaterThan(29);
  expect(minutesLeft).toBeLessThanOrEqual(30);
  expect(await expiresAt(soon.body.id)).toBe(Date.parse(soon.body.start ?? ''));
});
