import { expect, test } from 'vitest';
import { confirmAppointment, fetchConfirmation } from '#client/appointments.ts';
import { changeSchedule } from '#client/artists.ts';
import { TIME_TAKEN } from '#support/answers.ts';
import { refusalOf } from '#support/calls.ts';
import { begin, countRows, lapse, storedAppointment } from '#support/rows.ts';
import { aSlot, listedSlots, openTestApp, pickSlot, requestSlot } from '#support/test_app.ts';

const OTHER = { email: 'other@example.com', first_name: 'Otto' };

test('a lapsed hold reads as expired before anything sweeps it', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const held = await pickSlot(studio, artist, await aSlot(studio, artist));
  await lapse(studio, held.id);
  const body = await fetchConfirmation(studio.http(), held.id);
  expect(body).toStrictEqual({ ...held, status: 'expired' });
  expect(await storedAppointment(studio, held.id)).toEqual({ status: 'held', occupies: true });
});

test('a lapsed hold does not keep its time, and is expired once another takes it', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const slot = await aSlot(studio, artist);
  const held = await pickSlot(studio, artist, slot);
  await lapse(studio, held.id);
  expect(await listedSlots(studio, artist)).toContainEqual(slot);
  expect(await requestSlot(studio, artist, slot, OTHER)).toMatchObject({
    status: 201,
    body: { status: 'held', client: { first_name: 'Otto' } },
  });
  expect(await storedAppointment(studio, held.id)).toEqual({ status: 'expired', occupies: false });
  expect(await listedSlots(studio, artist)).not.toContainEqual(slot);
});

test('an expired hold still confirms while its time is free', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const slot = await aSlot(studio, artist);
  const held = await pickSlot(studio, artist, slot);
  await lapse(studio, held.id);
  expect(await confirmAppointment(studio.http(), held.id)).toMatchObject({
    status: 'confirmed',
    confirmed: true,
    start: slot.start,
    end: slot.end,
  });
  expect(await storedAppointment(studio, held.id)).toEqual({ status: 'confirmed', occupies: true });
  expect(await refusalOf(pickSlot(studio, artist, slot, OTHER))).toMatchObject(TIME_TAKEN);
});

test('an expired hold that was swept confirms once its time is free again', async () => {
  const studio = await openTestApp({ database: 'own' });
  const artist = await studio.artist();
  const slot = await aSlot(studio, artist);
  const first = await pickSlot(studio, artist, slot);
  await lapse(studio, first.id);
  const second = await pickSlot(studio, artist, slot, OTHER);
  const confirm = () => studio.call(`POST /appointments/confirmation/${first.id}`);
  expect(await confirm()).toMatchObject(TIME_TAKEN);
  await lapse(studio, second.id);
  expect(await confirm()).toMatchObject({ status: 200, body: { status: 'confirmed' } });
  expect(await storedAppointment(studio, second.id)).toEqual({
    status: 'expired',
    occupies: false,
  });
  expect(await countRows(studio)).toMatchObject({ appointments: 2, kept: 1 });
});

test('nobody confirms an expired hold whose time has begun', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist();
  const held = await pickSlot(studio, artist, await aSlot(studio, artist));
  await lapse(studio, held.id);
  await begin(studio, held.id);
  expect(await refusalOf(confirmAppointment(studio.http(), held.id))).toMatchObject(TIME_TAKEN);
  expect(await storedAppointment(studio, held.id)).toMatchObject({ status: 'held' });
});

test('a hold lasts half an hour, but never into its own time', async () => {
  const studio = await openTestApp();
  const artist = await studio.artist({ duration: 15 });
  const json = { slot_interval_minutes: 5 };
  await changeSchedule(studio.http(artist.token), json);
  const later = await requestSlot(studio, artist, await aSlot(studio, artist, 100));
  const soon = await requestSlot(studio, artist, await aSlot(studio, artist, 1), OTHER);
  const lapsesAt = async (id: string) => {
    const { lapses_at } = await studio.database
      .selectFrom('appointment_times')
      .select('lapses_at')
      .where('appointment_id', '=', id)
      .executeTakeFirstOrThrow();
    return lapses_at?.getTime() ?? 0;
  };
  const minutesLeft = ((await lapsesAt(later.body.id)) - Date.now()) / 60_000;
  expect(minutesLeft).toBeGreaterThan(29);
  expect(minutesLeft).toBeLessThanOrEqual(30);
  expect(await lapsesAt(soon.body.id)).toBe(Date.parse(soon.body.start ?? ''));
});
