import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { TimeZone } from '#contract/common.ts';
import { updateOwnAccount } from '#server/operations/studio/artists.ts';
import { renameZones } from '#server/operations/studio/zone_names.ts';
import { addAppointment, addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

test('stored zones get today’s names, and what was agreed by their clocks stays', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const { context, invalidatedTags } = await openTestContext({ database });
  const stored = ['US/eastern', 'Asia/Calcutta', 'est5edt', 'Europe/Berlin', 'Nowhere/City'];
  const artistIds: string[] = [];
  for (const time_zone of stored) {
    const artist = await addArtist(database, {}, { time_zone });
    artistIds.push(artist.id);
    await addAppointment(database, artist);
  }
  // As if other rules held when they were agreed.
  await sql`UPDATE appointment_times SET agreed_local = '2030-06-03T07:00', agreed_zone = time_zone
    FROM studios WHERE studios.id = studio_id`.execute(database);
  // Another name of the zone is no new zone.
  const [, calcutta = ''] = artistIds;
  const owner = { id: calcutta, sessionId: calcutta };
  const changes = { studio: { time_zone: 'Asia/Kolkata' } };
  await updateOwnAccount(context, owner, changes, Date.now());
  invalidatedTags.length = 0;
  await renameZones(context);
  const renamed = artistIds.slice(0, 3).map((id) => `artist:${id}`);
  expect(new Set(invalidatedTags)).toEqual(new Set([...renamed, 'explore']));
  const rows = await database.selectFrom('studios').select('time_zone').execute();
  const names = rows.map(({ time_zone }) => time_zone).toSorted();
  const newYork = 'America/New_York';
  expect(names).toEqual([newYork, newYork, 'Asia/Kolkata', 'Europe/Berlin', 'Nowhere/City']);
  const agreed = await database
    .selectFrom('appointment_times')
    .select('agreed_zone')
    .where('agreed_local', '=', '2030-06-03T07:00')
    .execute();
  expect(agreed.map(({ agreed_zone }) => agreed_zone).toSorted()).toEqual(names);
});

test('a zone is stored by today’s name, however an artist spells it', () => {
  expect(TimeZone.parse('asia/Calcutta')).toBe('Asia/Kolkata');
});
