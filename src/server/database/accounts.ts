import { sql } from 'kysely';
import type { Transaction } from './connect.ts';
import { insertRemovedImagesOfArtist } from './images.ts';
import { deleteArtistMails } from './mails.ts';

/** Locks an artist's row: waits for transactions that have locked it, and makes later ones wait. */
export async function lockArtistForDeletion(transaction: Transaction, id: string): Promise<void> {
  await transaction.selectFrom('artists').select('id').where('id', '=', id).forUpdate().execute();
}

/**
 * Deletes an artist with all their rows, except queued mails to the artist's clients.
 * @returns the ids of the artist's images, whose files the caller must delete
 */
export async function deleteArtist(transaction: Transaction, id: string): Promise<string[]> {
  // Adds the images to the table `removed_images`: their files are deleted even after a crash.
  const imageIds = await insertRemovedImagesOfArtist(transaction, id);
  // The present studio, and earlier ones.
  const { rows: studios } = await sql<{ id: string }>`
    SELECT studio_id AS id FROM artists WHERE id = ${id}
    UNION SELECT studio_id FROM appointments WHERE artist_id = ${id}
    UNION SELECT studio_id FROM appointment_times WHERE artist_id = ${id}
  `.execute(transaction);
  const studioIds = studios.map((studio) => studio.id);
  await deleteArtistMails(transaction, id);
  // The order matters: PostgreSQL refuses to delete a row to which other rows refer, except where
  // ON DELETE CASCADE deletes those rows too, such as the artist's clients and images.
  await transaction.deleteFrom('appointments').where('artist_id', '=', id).execute();
  await transaction.deleteFrom('designs').where('artist_id', '=', id).execute();
  await transaction.deleteFrom('artists').where('id', '=', id).execute();
  await transaction.deleteFrom('studios').where('id', 'in', studioIds).execute();
  return imageIds;
}
