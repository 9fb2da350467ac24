import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import { confirmAppointment } from '#contract/endpoints.ts';

import {
  countRows,
  expireAppointment,
  loadAppointmentRow,
  startAppointment,
} from '#support/app_rows.ts';
import { refusalOf } from '#support/call_api.ts';
import { TIME_TAKEN } from '#support/problems.ts';
import { bookSlot, findSlot, openTestApp } from '#support/test_app.ts';

const OTHER = { email: 'other@example.com', first_name: 'Otto' };

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
