import type { Context } from '#server/operations/context.ts';
import { addArtist } from './database_rows.ts';
import type { ArtistOptions } from './new_artist.ts';
import { openTestApp } from './test_app.ts';
import { openTestContext } from './test_context.ts';

/** Opens the application with an artist who takes bookings; the artist's fields are returned too. */
export async function openArtistApp(
  options: Parameters<typeof openTestApp>[0] = {},
  changes: ArtistOptions = {},
) {
  const app = await openTestApp(options);
  const artist = await app.newArtist(changes);
  return { app, artist, ...artist };
}

/** Opens a context that records effects outside the database, and adds an artist. */
export async function openArtistContext(changes: Partial<Context> = {}) {
  const opened = await openTestContext(changes);
  const { database } = opened.context;
  return { ...opened, database, artist: await addArtist(database) };
}
