import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deleteArtist, lockArtistForDeletion } from '#server/database/accounts.ts';
import { findArtistById } from '#server/database/artists.ts';
import { insertMails } from '#server/database/mails.ts';
import { listRemovedImages } from '#server/database/removed_images.ts';
import { findStudio, moveStudio } from '#server/database/studio_moves.ts';
import {
  addAppointment,
  addArtist,
  addDesign,
  addImage,
  addService,
  createAppointmentFacts,
  NOON,
} from '#support/database_rows.ts';
import { openTestApp } from '#support/test_app.ts';

const OWNED = [
  'appointments',
  'appointment_times',
  'clients',
  'designs',
  'images',
  'services',
  'schedules',
] as const;

test('with an artist goes all that they have, and nothing of another artist', async () => {
  const { database } = await openTestApp();
  const rowsOf = async (artistId: string) => {
    const counts: number[] = [];
    for (const table of OWNED) {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::int AS count FROM ${sql.table(table)} WHERE artist_id = ${artistId}
      `.execute(database);
      counts.push(rows[0]?.count ?? 0);
    }
    return counts;
  };
  const [artist, other] = [await addArtist(database), await addArtist(database)];
  for (const one of [artist, other]) {
    const { id: serviceId } = await addService(database, one);
    const { id: designId } = await addDesign(database, one);
    await addAppointment(database, one, { serviceId, designId });
  }
  const kept = await rowsOf(other.id);
  expect(await rowsOf(artist.id)).toEqual(kept);
  await deleteArtist(database, artist.id);
  expect(await rowsOf(artist.id)).toEqual(OWNED.map(() => 0));
  expect(await rowsOf(other.id)).toEqual(kept);
  expect(await findArtistById(database, artist.id)).toBeUndefined();
});

test('the pictures of a deleted artist are answered, and due for removal', async () => {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const { id } = await addImage(database, artist);
  const { imageId } = await addDesign(database, artist);
  expect((await deleteArtist(database, artist.id)).toSorted()).toEqual([id, imageId].toSorted());
  const due = await listRemovedImages(database, 10_000);
  expect(due).toEqual(expect.arrayContaining([id, imageId]));
});

test('the studios that an artist worked in go with the account', async () => {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  await addAppointment(database, artist);
  const place = {
    name: 'Next',
    address_one: '2 Example Street',
    city: 'Albany',
    state: 'NY',
    zip_code: '12207',
    time_zone: 'America/New_York',
  };
  await moveStudio(database, artist.id, artist.studioId, place, NOON + 24 * 3_600_000);
  const next = (await findStudio(database, artist.id))?.id ?? '';
  await deleteArtist(database, artist.id);
  const places = database
    .selectFrom('places')
    .select('id')
    .where('id', 'in', [artist.studioId, next]);
  expect(await places.execute()).toEqual([]);
});

test('mails that clients are still to get outlive the account', async () => {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  const appointment = createAppointmentFacts(artist, await addAppointment(database, artist));
  const [cancelled = '', booking = ''] = await insertMails(database, [
    {
      notice: { kind: 'cancelled', appointment },
      address: 'rosa@example.com',
      artistId: artist.id,
    },
    { notice: { kind: 'new_booking', appointment }, address: artist.email, artistId: artist.id },
  ]);
  await deleteArtist(database, artist.id);
  const left = await database
    .selectFrom('mails')
    .select(['id', 'artist_id'])
    .where('id', 'in', [cancelled, booking])
    .execute();
  expect(left).toEqual([{ id: cancelled, artist_id: null }]);
});

test('what is saved of an artist while the account closes waits, and then finds nobody', async () => {
  const { database } = await openTestApp();
  const artist = await addArtist(database);
  let adding: Promise<unknown> = Promise.resolve();
  await database.transaction().execute(async (transaction) => {
    await lockArtistForDeletion(transaction, artist.id);
    adding = addService(database, artist).catch((error: unknown) => error);
    await deleteArtist(transaction, artist.id);
  });
  expect(await adding).toMatchObject({ code: '23503' });
});
