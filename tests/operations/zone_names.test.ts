import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { CurrentArtist } from '#contract/artist.ts';
import { updateArtistProfile } from '#server/operations/artists.ts';
import { renameZones } from '#server/operations/zone_names.ts';
import { expectOk } from '#support/call_api.ts';
import { addAppointment, addArtist } from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';
import { openTestContext } from '#support/test_context.ts';

test('stored zones get today’s names, and what was agreed by their clocks stays', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const { context, invalidatedTags } = await openTestContext({ database });
  const stored = ['US/eastern', 'Asia/Calcutta', 'est5edt', 'Europe/Berlin', 'Nowhere/City'];
  const tags: string[] = [];
  for (const time_zone of stored) {
    const artist = await addArtist(database, {}, { time_zone });
    tags.push(`artist:${artist.id}`);
    await addAppointment(database, artist);
  }
  // As if other rules held when they were agreed.
  await sql`UPDATE appointment_times SET agreed_local = '2030-06-03T07:00', agreed_zone = time_zone
    FROM studios WHERE studios.id = studio_id`.execute(database);
  await renameZones(context);
  // Pages show the name.
  expect(new Set(invalidatedTags)).toEqual(new Set([...tags.slice(0, 3), 'explore']));
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

test('a zone is stored by today’s name, however an artist spells it', async () => {
  const app = await openTestApp();
  const { token } = await app.newArtist();
  const json = { studio: { time_zone: 'asia/Calcutta' } };
  const { studio } = await expectOk(app.call<CurrentArtist>('PATCH /users/me', { token, json }));
  expect(studio.time_zone).toBe('Asia/Kolkata');
});

test('another name of the zone is no new zone: what was agreed stays', async () => {
  const { context } = await openTestContext();
  const { database } = context;
  const artist = await addArtist(database, {}, { time_zone: 'Asia/Calcutta' });
  const agreed = { agreed_local: '2030-06-03T07:00', agreed_zone: 'Asia/Calcutta' };
  const id = await addAppointment(database, artist);
  const times = database.updateTable('appointment_times').where('appointment_id', '=', id);
  await times.set(agreed).execute();
  const studio = { time_zone: 'Asia/Kolkata', name: 'Quint' };
  await updateArtistProfile(context, artist.id, { studio });
  expect(
    await times.set({ occupies: true }).returning(['agreed_local', 'agreed_zone']).execute(),
  ).toEqual([agreed]);
});
