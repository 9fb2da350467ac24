import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { call } from '#client/call.ts';
import { changeAppointment, changeMe, undoStudioChange } from '#contract/endpoints.ts';
import { HOUR_MS, toRfc3339 } from '#domain/time.ts';
import { addDesignRow } from '#support/app_rows.ts';
import { expectNoOversoldDesign } from '#support/edition_promises.ts';
import { DESIGN_GONE } from '#support/problems.ts';
import { addMinutes, bookSlot, findSlot, openTestApp } from '#support/test_app.ts';

test('undoing a new time zone gives a hold its time back, but not a piece that another client has booked since', async () => {
  const app = await openTestApp({ database: 'own' });
  const artist = await app.newArtist();
  const { id: design_id } = await addDesignRow(app, artist, { editions: 1 });
  const hold = async (nth: number) =>
    bookSlot(app, artist, await findSlot(app, artist, nth), {
      ...{ design_id, email: `${randomUUID()}@example.com` },
    });
  const first = await hold(40);
  const nextHour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const start = toRfc3339(nextHour + HOUR_MS);
  await call(artist.http, changeAppointment, {
    path: { appt_id: first.id },
    body: { start, end: addMinutes(start, 29) },
  });
  // The clock time of the hold has passed there, so that its piece is free.
  const studio = { time_zone: 'Europe/London' };
  await call(artist.http, changeMe, { body: { studio, keep: 'clock_times' } });
  const second = await hold(60);
  await app.call(`POST /appointments/confirmation/${second.id}`);
  await call(artist.http, undoStudioChange);
  await expectNoOversoldDesign(
    async (statement) => (await sql.raw(statement).execute(app.database)).rows,
  );
  expect(await app.call(`GET /appointments/confirmation/${first.id}`)).toMatchObject({
    body: { status: 'held', lapses_at: null },
  });
  expect(await app.call(`POST /appointments/confirmation/${first.id}`)).toMatchObject(DESIGN_GONE);
});
