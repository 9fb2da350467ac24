import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { AppointmentMailData } from '#domain/mail.ts';
import { HOUR_MS } from '#domain/time.ts';
import { withCurrentFacts } from '#server/operations/current_facts.ts';
import {
  addAppointment,
  addArtist,
  addClient,
  createAppointmentFacts,
  NOON,
} from '#support/database_rows.ts';
import { openTestContext } from '#support/test_context.ts';

async function setUp() {
  const { database } = (await openTestContext()).context;
  const artist = await addArtist(database);
  const client = await addClient(database, artist, { email: 'rosa@example.com' });
  const id = await addAppointment(database, artist, { client });
  const earlier = createAppointmentFacts(artist, id);
  const time = { start: NOON - HOUR_MS, end: NOON };
  await database
    .updateTable('appointments')
    .set({ version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
  const tell = (kind: Exclude<AppointmentMailData['kind'], 'reminder'>) =>
    withCurrentFacts(database, {
      kind,
      appointment: { ...earlier, time, by: 'client', note: 'By the car', movedFrom: NOON },
    });
  return { database, earlier, time, tell };
}

test.for(['hold', 'offer', 'booked', 'moved', 'new_booking', 'client_moved'] as const)(
  'a mail that tells the present has the time of now, and keeps what was done and said: %s',
  async (kind) => {
    const { earlier, tell } = await setUp();
    const { appointment } = await tell(kind);
    expect(appointment).toMatchObject({ by: 'client', note: 'By the car', movedFrom: null });
    expect(appointment).toMatchObject({ time: { start: NOON }, version: earlier.version + 1 });
  },
);

test('a mail about a request gets no time, and one about the past stays', async () => {
  const { earlier, time, tell } = await setUp();
  const request = await tell('request_received');
  expect(request.appointment).toMatchObject({ time, version: earlier.version + 1 });
  const { appointment } = await tell('cancelled');
  expect(appointment).toMatchObject({ time, version: earlier.version });
});

test('a reminder of another start stays, so that it is dropped', async () => {
  const { database, earlier, time } = await setUp();
  const reminder = { kind: 'reminder', appointment: { ...earlier, time }, hours: 24 } as const;
  expect(await withCurrentFacts(database, reminder)).toBe(reminder);
  const sameStart = { ...reminder, appointment: earlier };
  const { appointment } = await withCurrentFacts(database, sameStart);
  expect(appointment.version).toBe(earlier.version + 1);
});
