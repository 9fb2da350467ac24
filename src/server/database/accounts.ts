import type { Database } from './connect.ts';
import { rememberImagesOf } from './removed_images.ts';

/** Deletes all that an artist has; answers the ids of the pictures whose files are left. */
export async function deleteArtist(database: Database, id: string): Promise<string[]> {
  // Locked first: an upload under way is waited for and its picture seen, a later one is refused.
  await database.selectFrom('artists').select('id').where('id', '=', id).forUpdate().execute();
  const images = await rememberImagesOf(database, id);
  const places = await listPlaces(database, id);
  // What other rows point at goes after them; the rest goes with the artist.
  await database.deleteFrom('appointments').where('artist_id', '=', id).execute();
  await database.deleteFrom('designs').where('artist_id', '=', id).execute();
  await database.deleteFrom('artists').where('id', '=', id).execute();
  await database.deleteFrom('places').where('id', 'in', places).execute();
  return images;
}

/** The artist's studio, and those they moved out of. */
async function listPlaces(database: Database, artistId: string): Promise<string[]> {
  const rows = await database
    .selectFrom('artists')
    .select('studio_id as id')
    .where('id', '=', artistId)
    .union((query) =>
      query.selectFrom('appointments').select('place_id as id').where('artist_id', '=', artistId),
    )
    .union((query) =>
      query
        .selectFrom('appointment_times')
        .select('place_id as id')
        .where('artist_id', '=', artistId),
    )
    .execute();
  return rows.map(({ id }) => id);
}
