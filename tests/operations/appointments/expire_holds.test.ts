import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { HOUR_MS } from '#domain/time/time.ts';
import { listAppointmentEvents } from '#server/database/appointment_events.ts';
import { findAppointment } from '#server/database/appointments.ts';
import {
  expireHolds,
  expireUnreservedHolds,
} from '#server/operations/appointments/expire_holds.ts';
import { change } from '#server/operations/change.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, listNotices, NOON, occupiesTime } from '#support/database_rows.ts';

test('holds that are unexpired or outside the range are not expired', async () => {
  const { context, database, artist } = await openArtistContext();
  const unexpired = await addAppointment(database, artist, { status: 'held', expiresAt: NOON + 1 });
  const elsewhere = await addAppointment(database, artist, {
    status: 'held',
    start: NOON + 5 * HOUR_MS,
    expiresAt: NOON,
  });
  const scope = { overlapping: { start: NOON, end: NOON + HOUR_MS } };
  await change(context, { invalidates: [] }, (context) =>
    expireHolds(context, artist.id, scope, NOON),
  );
  expect([
    await occupiesTime(database, unexpired),
    await occupiesTime(database, elsewhere),
  ]).toEqual([true, true]);
  expect(await listNotices(database, artist.id)).toEqual([]);
});

test('a hold that reserves no time expires at its deadline, and nobody is mailed', async () => {
  const { context, database, artist } = await openArtistContext();
  const id = await addAppointment(database, artist, { status: 'held', expiresAt: NOON - HOUR_MS });
  await sql`WITH hold AS (UPDATE appointments SET must_prove_email = true WHERE id = ${id})
    UPDATE appointment_times SET occupies = false WHERE appointment_id = ${id}`.execute(database);
  await expireUnreservedHolds(context, NOON);
  expect((await findAppointment(database, artist.id, id))?.version).toBe(1);
  const expired = { to_status: 'expired', happened_at: new Date(NOON - HOUR_MS) };
  expect(await listAppointmentEvents(database, artist.id, id)).toMatchObject([expired]);
  expect(await listNotices(database, artist.id)).toEqual([]);
});
