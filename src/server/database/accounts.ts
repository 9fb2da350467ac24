import type { Database } from './connect.ts';
import { deleteArtistMails } from './mails.ts';
import { insertRemovedImagesOfArtist } from './removed_images.ts';

/** What is being saved of an artist is waited for and seen, what comes later is refused. */
export async function lockArtistForDeletion(transaction: Database, id: string): Promise<void> {
  await transaction.selectFrom('artists').select('id').where('id', '=', id).forUpdate().execute();
}

/**
 * Deletes all that an artist has, once their account is closed; answers the ids of the pictures
 * whose files are left.
 */
export async function deleteArtist(database: Database, id: string): Promise<string[]> {
  const images = await insertRemovedImagesOfArtist(database, id);
  const places = await listStudioIds(database, id);
  await deleteArtistMails(database, id);
  // What other rows point at goes after them; the rest goes with the artist.
  await database.deleteFrom('appointments').where('artist_id', '=', id).execute();
  await database.deleteFrom('designs').where('artist_id', '=', id).execute();
  await database.deleteFrom('artists').where('id', '=', id).execute();
  await database.deleteFrom('places').where('id', 'in', places).execute();
  return images;
}

/** The artist's studio, and those they moved out of. */
async function listStudioIds(database: Database, artistId: string): Promise<string[]> {
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
