import { expect, test } from 'vitest';
import { fillNextAgreedTimes } from '#server/database/agreed_times.ts';
import { addAppointment, addArtist, NOON } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { openTestApp } from '#support/test_app.ts';

test('times of a studio whose zone just changes are left until the change has ended', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const artist = await addArtist(database);
  await addAppointment(database, artist);
  const times = database.selectFrom('appointment_times');
  const fill = () => inTransaction(database, fillNextAgreedTimes, NOON - 1);
  const zone = { time_zone: 'America/Chicago' };
  await database.transaction().execute(async (transaction) => {
    await transaction.updateTable('studios').set(zone).where('id', '=', artist.studioId).execute();
    expect(await fill()).toBe(0);
  });
  expect(await fill()).toBe(1);
  const stored = await times.select('agreed_zone').executeTakeFirst();
  expect(stored).toEqual({ agreed_zone: 'America/Chicago' });
});

test('a time in a zone that this server does not know is left, and the others are filled', async () => {
  const { database } = await openTestApp({ database: 'own' });
  const [here, there] = [await addArtist(database), await addArtist(database)];
  for (const artist of [here, there]) await addAppointment(database, artist);
  const studio = database.updateTable('studios').set({ time_zone: 'Mars/Base' });
  await studio.where('id', '=', there.studioId).execute();
  await inTransaction(database, fillNextAgreedTimes, NOON - 1);
  const times = database.selectFrom('appointment_times').select(['artist_id', 'agreed_local']);
  const filled = await times.where('agreed_local', 'is not', null).execute();
  expect(filled.map(({ artist_id }) => artist_id)).toEqual([here.id]);
});
