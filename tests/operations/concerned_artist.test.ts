import { expect, test } from 'vitest';
import {
  loadArtistIdOfAppointment,
  loadPublicArtist,
} from '#server/operations/concerned_artist.ts';
import { UNKNOWN_ID } from '#support/problems.ts';
import { bookSlot, findSlot, openTestApp } from '#support/test_app.ts';

test('finds the artist of a username or of an appointment, and notes them for the log', async () => {
  const app = await openTestApp();
  const artist = await app.newArtist();
  const { id } = await bookSlot(app, artist, await findSlot(app, artist));
  const noted: string[] = [];
  const context = { database: app.database, noteArtist: (found: string) => noted.push(found) };

  expect((await loadPublicArtist(context, artist.username)).id).toBe(artist.self.id);
  expect(await loadArtistIdOfAppointment(context, id)).toBe(artist.self.id);
  expect(noted).toEqual([artist.self.id, artist.self.id]);
});

test('refuses an unknown artist or appointment, and notes nobody', async () => {
  const { database } = await openTestApp();
  const noted: string[] = [];
  const context = { database, noteArtist: (found: string) => noted.push(found) };

  await expect(loadPublicArtist(context, 'nobody.at.all')).rejects.toMatchObject({
    reason: 'not_found',
  });
  await expect(loadArtistIdOfAppointment(context, UNKNOWN_ID)).rejects.toMatchObject({
    reason: 'not_found',
  });
  expect(noted).toEqual([]);
});
