import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { OwnArtistChanges } from '#contract/artist.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/time/time.ts';
import { updateSchedule } from '#server/database/artists.ts';
import { undoStudioChange, updateOwnAccount } from '#server/operations/studio/artists.ts';
import { answerTimeChanges, undoTimeChanges } from '#server/operations/studio/time_changes.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, addArtist, changeAppointmentRow, NOON } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { openTestContext } from '#support/test_context.ts';

async function setUp() {
  const { context, invalidatedTags } = await openTestContext();
  const artist = await addArtist(context.database);
  const owner = { id: artist.id, sessionId: artist.id };
  const change = (studio: OwnArtistChanges['studio']) =>
    updateOwnAccount(context, owner, { studio }, Date.now());
  /** The studios of the artist and of their appointments, by the cities. */
  const listCities = async (appointmentId: string) => {
    const { database } = context;
    const appointment = database.selectFrom('appointments').where('id', '=', appointmentId);
    const account = database.selectFrom('artists').where('id', '=', artist.id);
    const rows = await database
      .selectFrom('studios')
      .select(['city', 'name'])
      .where((eb) =>
        eb.or([
          eb('id', '=', appointment.select('studio_id')),
          eb('id', '=', account.select('studio_id')),
        ]),
      )
      .orderBy('city')
      .execute();
    return rows.map(({ name, city }) => `${name} in ${city}`);
  };
  return { context, artist, invalidatedTags, change, listCities };
}

test('a past appointment keeps its studio’s address; a new name, or the same address, adds no studio', async () => {
  const { context, artist, change, listCities } = await setUp();
  const past = { status: 'completed', start: Date.parse('2026-01-05T12:00:00Z') } as const;
  const id = await addAppointment(context.database, artist, past);
  await change({ name: 'Quint', city: 'New York' });
  expect(await listCities(id)).toEqual(['Quint in New York']);
  await change({ city: 'Boston' });
  expect(await listCities(id)).toEqual(['Quint in Boston', 'Quint in New York']);
});

test('a studio without past appointments is changed in place', async () => {
  const { context, artist, change, listCities } = await setUp();
  const id = await addAppointment(context.database, artist);
  await change({ city: 'Boston' });
  expect(await listCities(id)).toEqual(['The Studio in Boston']);
});

test('undoing a change of the studio restores it, and the artist’s pages are invalidated', async () => {
  const { context, artist, invalidatedTags, change } = await setUp();
  const before = (await change({})).studio;
  expect((await change({ address_one: '2 New Street' })).studio.address_one).toBe('2 New Street');
  invalidatedTags.length = 0;
  expect((await undoStudioChange(context, artist.id)).studio).toEqual(before);
  expect(invalidatedTags).toContain(`artist:${artist.id}`);
});

/**
 * An artist with a buffer of 15 minutes, and two appointments. The second begins `gap` minutes after the first and
 * shortens its buffer, with a gap together with a hold whose deadline has passed. Clocks show the second as two hours
 * earlier than agreed.
 */
async function openShortened({ gap = 0 } = {}) {
  const { context, database, artist } = await openArtistContext();
  await inTransaction(database, updateSchedule, artist.id, { buffer_minutes: 15 });
  const firstId = await addAppointment(database, artist);
  const end = NOON + HOUR_MS;
  if (gap > 0)
    await addAppointment(database, artist, {
      status: 'held',
      start: end,
      minutes: gap,
      expiresAt: Date.now() - MINUTE_MS,
    });
  const id = await addAppointment(database, artist, { start: end + gap * MINUTE_MS });
  await sql`UPDATE appointment_times
    SET agreed_local = to_char(agreed_local::timestamp + interval '2 hours', 'YYYY-MM-DD"T"HH24:MI')
    WHERE appointment_id = ${id}`.execute(database);
  const answer = (keep: 'moments' | 'clock_times') =>
    answerTimeChanges(context, artist.id, { keep, ids: [{ id, version: 1 }], tell_clients: false });
  /** By start, the minutes from noon at which each reserved time begins and its buffer ends. */
  const listBlocked = async () => {
    const { rows } = await sql<{ start: Date; end: Date }>`
      SELECT lower(blocked) AS start, upper(blocked) AS end FROM appointment_times
      WHERE artist_id = ${artist.id} AND occupies ORDER BY start`.execute(database);
    const minutesOf = (date: Date) => (date.getTime() - NOON) / MINUTE_MS;
    return rows.map(({ start, end }) => [minutesOf(start), minutesOf(end)]);
  };
  return { context, database, artist, firstId, id, answer, listBlocked };
}

test('a shortened buffer is back when an answer moves the time after it, and short again after the undo', async () => {
  const { context, artist, answer, listBlocked } = await openShortened();
  const before = await listBlocked();
  await answer('clock_times');
  expect(await listBlocked()).toEqual([
    [0, 75],
    [180, 240],
  ]);
  await undoTimeChanges(context, artist.id);
  expect(await listBlocked()).toEqual(before);
});

test('an undo is refused when the buffer of a later booking touches the earlier time', async () => {
  const { context, database, artist, firstId, answer } = await openShortened();
  await answer('clock_times');
  const cancelled = { status: 'cancelled', time: 'released' } as const;
  await changeAppointmentRow(database, artist.id, firstId, cancelled);
  await addAppointment(database, artist, { minutes: 50, buffer: 15 });
  await expect(undoTimeChanges(context, artist.id)).rejects.toMatchObject({
    reason: 'undo_time_taken',
  });
});

test('a buffer gets what a lapsed hold leaves, and not the place of a time whose instant stays', async () => {
  const { answer, listBlocked } = await openShortened({ gap: 10 });
  await answer('moments');
  expect(await listBlocked()).toEqual([
    [0, 70],
    [70, 130],
  ]);
});

test('a buffer is back after an undo if the time after it was cancelled meanwhile', async () => {
  const { context, database, artist, id, listBlocked } = await openShortened();
  const owner = { id: artist.id, sessionId: artist.id };
  const changes = { studio: { time_zone: 'America/Chicago' }, keep: 'clock_times' } as const;
  await updateOwnAccount(context, owner, changes, Date.now());
  await changeAppointmentRow(database, artist.id, id, { status: 'cancelled', time: 'released' });
  await undoStudioChange(context, artist.id);
  expect(await listBlocked()).toEqual([[0, 75]]);
});
