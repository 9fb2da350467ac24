import { expect, test } from 'vitest';
import * as artists from '#server/database/artists.ts';
import { addArtist, withRollback } from '#support/database_rows.ts';
import { inTransaction } from '#support/in_transaction.ts';
import { openTestApp } from '#support/test_app.ts';

test('an inactive artist or a superuser is not found by public reads', async () => {
  const app = await openTestApp();
  for (const change of [{ is_active: false }, { is_superuser: true }]) {
    const { self, username } = await app.newArtist();
    await artists.updateArtist(app.database, self.id, change);
    expect(await artists.findPublicArtist(app.database, username)).toBeUndefined();
    expect(await artists.findPublicArtistById(app.database, self.id)).toBeUndefined();
    expect((await artists.findArtistById(app.database, self.id))?.id).toBe(self.id);
  }
});

test('public artists are active, not superusers, have a scheduling type, and are listed by username', async () => {
  const { database } = await openTestApp();
  const ready = await addArtist(database);
  const others = [
    await addArtist(database, { scheduling_type: null }),
    await addArtist(database, { is_active: false }),
    await addArtist(database, { is_superuser: true }),
  ];
  const { rows } = await artists.listPublicArtists(database, { skip: 0, limit: 10_000 });
  const ids = rows.map(({ id }) => id);
  expect(ids).toContain(ready.id);
  for (const { id } of others) expect(ids).not.toContain(id);
  const names = rows.map(({ username }) => username);
  expect(names).toEqual(names.toSorted());
});

test('accounts are searched by username, email or name, newest first', async () => {
  const { database } = await openTestApp();
  const part = crypto.randomUUID().slice(0, 13);
  const byName = await addArtist(database, { full_name: `Ana ${part} Reyes` });
  const byUsername = await addArtist(database, { username: `x${part}`, is_active: false });
  const byEmail = await addArtist(database, { email: `y${part}@example.com`, is_superuser: true });
  const page = { skip: 0, limit: 100 };
  const { rows, count } = await artists.listAllArtists(database, part.toUpperCase(), page);
  expect(rows.map(({ id }) => id)).toEqual([byEmail.id, byUsername.id, byName.id]);
  expect(count).toBe(3);
});

test('an inactive superuser counts for hasSuperuser, not for hasActiveSuperuser', async () => {
  const { database } = await openTestApp();
  await withRollback(database, async (transaction) => {
    await transaction.updateTable('artists').set({ is_superuser: false }).execute();
    expect(await artists.hasSuperuser(transaction)).toBe(false);
    const { id } = await addArtist(transaction, { is_superuser: true, is_active: false });
    expect(await artists.hasSuperuser(transaction)).toBe(true);
    expect(await artists.hasActiveSuperuser(transaction)).toBe(false);
    await artists.updateArtist(transaction, id, { is_active: true });
    expect(await artists.hasActiveSuperuser(transaction)).toBe(true);
  });
});

test('schedule fields are updated separately, and exceptions are replaced as a whole', async () => {
  const { database } = await openTestApp();
  const [artist, other] = [await addArtist(database), await addArtist(database)];
  const weekly = [{ weekday: 1, windows: [{ start: '09:00', end: '12:00' }] }];
  const day = (date: string) => ({ date, windows: [] });
  await inTransaction(database, artists.updateSchedule, artist.id, {
    weekly,
    exceptions: [day('2030-12-25'), day('2030-12-24')],
  });
  await inTransaction(database, artists.updateSchedule, artist.id, { buffer_minutes: 15 });
  expect(await artists.findArtistSchedule(database, artist.id)).toMatchObject({
    weekly,
    buffer_minutes: 15,
    exceptions: [{ date: '2030-12-24' }, { date: '2030-12-25' }],
  });
  await inTransaction(database, artists.updateSchedule, artist.id, { exceptions: [] });
  await inTransaction(database, artists.updateSchedule, artist.id, {
    booking_range: { kind: 'open' },
  });
  const hours = await artists.listArtistSchedules(database, [artist.id, other.id]);
  expect(hours.get(artist.id)).toMatchObject({
    exceptions: [],
    booking_range: { kind: 'open' },
  });
  expect(hours.get(other.id)).toMatchObject({ booking_range: { kind: 'rolling', days: 60 } });
  expect(await artists.findArtistSchedule(database, crypto.randomUUID())).toBeUndefined();
});

test('updating a studio changes only its artist’s, and an empty update changes nothing', async () => {
  const { database } = await openTestApp();
  const [artist, other] = [await addArtist(database), await addArtist(database)];
  await artists.updateStudio(database, artist.id, { city: 'Albany' });
  await artists.updateStudio(database, artist.id, {});
  await artists.updateArtist(database, artist.id, {});
  expect((await artists.findArtistById(database, artist.id))?.city).toBe('Albany');
  expect((await artists.findArtistById(database, other.id))?.city).toBe('New York');
});
