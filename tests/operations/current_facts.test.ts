import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { AppointmentMailKind } from '#domain/mail.ts';
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

const NOW = NOON - 48 * HOUR_MS;

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
  const tell = (kind: AppointmentMailKind) =>
    withCurrentFacts(
      database,
      {
        kind,
        appointment: { ...earlier, time, by: 'client', note: 'By the car', movedFrom: NOON },
      },
      NOW,
    );
  const setStudio = (changes: { city?: string; time_zone?: string }) =>
    database
      .updateTable('studios')
      .set(changes)
      .where('id', '=', ({ selectFrom }) =>
        selectFrom('appointments').select('studio_id').where('id', '=', id),
      )
      .execute();
  return { database, earlier, time, tell, setStudio };
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

test('a mail about a move keeps the state that an undo restores', async () => {
  const { database, earlier } = await setUp();
  const beforeMove = { start: NOON, end: NOON + 1, expiresAt: null, note: null };
  const notice = { kind: 'moved', appointment: { ...earlier, beforeMove } } as const;
  const { appointment } = await withCurrentFacts(database, notice, NOW);
  expect(appointment).toMatchObject({ beforeMove, version: earlier.version + 1 });
});

test('a mail about a request gets no time', async () => {
  const { earlier, time, tell } = await setUp();
  const request = await tell('request_received');
  expect(request.appointment).toMatchObject({ time, version: earlier.version + 1 });
});

test('a mail about a cancellation has the studio and the time of now, and stays otherwise', async () => {
  const { earlier, tell, setStudio } = await setUp();
  await setStudio({ city: 'Fresno' });
  const { appointment } = await tell('cancelled');
  expect(appointment).toMatchObject({
    time: { start: NOON },
    studio: { city: 'Fresno' },
    note: 'By the car',
    version: earlier.version,
  });
});

test('a mail that is right stays as it is, and one of the same version gets the address of now', async () => {
  const { database, earlier, setStudio } = await setUp();
  const { appointment } = await withCurrentFacts(
    database,
    { kind: 'hold', appointment: earlier },
    NOW,
  );
  const hold = { kind: 'hold', appointment } as const;
  expect(await withCurrentFacts(database, hold, NOW)).toBe(hold);
  await setStudio({ city: 'Fresno' });
  expect((await withCurrentFacts(database, hold, NOW)).appointment.studio.city).toBe('Fresno');
});

test('a mail tells no change of the studio that another one has followed', async () => {
  const { database, earlier, setStudio } = await setUp();
  const studioChange = {
    hasNewAddress: false,
    hasNewZone: true,
    kept: 'moments',
    zoneBefore: 'America/Los_Angeles',
  } as const;
  const tell = async () => {
    const notice = { kind: 'moved', appointment: { ...earlier, studioChange } } as const;
    return (await withCurrentFacts(database, notice, NOW)).appointment.studioChange;
  };
  for (const time_zone of [earlier.studio.time_zone, 'US/Eastern']) {
    await setStudio({ time_zone });
    expect(await tell()).toEqual(studioChange);
  }
  await setStudio({ time_zone: 'America/Los_Angeles' });
  expect(await tell()).toBeUndefined();
});

test('a reminder of another start stays, so that it is dropped', async () => {
  const { database, earlier, time } = await setUp();
  const reminder = { kind: 'reminder', appointment: { ...earlier, time }, hours: 24 } as const;
  expect(await withCurrentFacts(database, reminder, NOON - 24 * HOUR_MS)).toBe(reminder);
  const sameStart = { ...reminder, appointment: earlier };
  const { appointment } = await withCurrentFacts(database, sameStart, NOW);
  expect(appointment.version).toBe(earlier.version + 1);
});

test('a reminder of the same clock time in a corrected zone has the new start once it is due', async () => {
  const { database, earlier, setStudio } = await setUp();
  const [ago, zone] = [NOON - 3 * HOUR_MS, 'America/New_York'];
  const studio = { ...earlier.studio, time_zone: zone };
  await setStudio({ time_zone: 'America/Los_Angeles' });
  const appointment = { ...earlier, studio, time: { start: ago, end: ago + HOUR_MS } };
  const reminder = { kind: 'reminder', appointment, hours: 24 } as const;
  expect(await withCurrentFacts(database, reminder, NOON - 25 * HOUR_MS)).toBe(reminder);
  const due = await withCurrentFacts(database, reminder, NOON - 24 * HOUR_MS);
  expect(due.appointment.time?.start).toBe(NOON);
});
