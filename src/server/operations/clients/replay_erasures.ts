/** After a backup was restored: repeats the deletions since the backup was made. */
import { sql } from 'kysely';
import type { ErasureKind } from '#domain/clients/erasure.ts';
import { deleteArtist, lockArtistForDeletion } from '#server/database/accounts.ts';
import { deleteAppointmentRow } from '#server/database/appointment_updates.ts';
import { findAppointment } from '#server/database/appointments.ts';
import { listReturnedRows, type ReturnedRow } from '#server/database/erasures.ts';
import { deleteImage, findImage } from '#server/database/images.ts';
import { deleteImageFiles } from '../catalogue/store_images.ts';
import { calendarScope, change } from '../change.ts';
import type { Context } from '../context.ts';
import { eraseClientAgain } from './erase_client.ts';

/**
 * Deletes every row that the table `erasures` lists and that exists again, with the same statements as the
 * first time, and mails nobody. Repeating it is harmless: without such rows it changes nothing.
 * @returns how many were deleted, by kind
 */
export async function replayErasures(context: Context): Promise<Record<ErasureKind, number>> {
  const counts = { artist: 0, client: 0, appointment: 0, message: 0, image: 0 };
  for (const row of await listReturnedRows(context.database)) {
    await ERASERS[row.kind](context, row);
    counts[row.kind] += 1;
  }
  return counts;
}

/** They do nothing if the row is gone, for example with its artist. */
const ERASERS: Readonly<
  Record<ErasureKind, (context: Context, row: ReturnedRow) => Promise<void>>
> = {
  async artist(context, { id }) {
    const imageIds = await change(context, calendarScope(id, []), async ({ database }) => {
      await lockArtistForDeletion(database, id);
      // Also the mails that are queued for clients: at the time of the deletion, they were sent or replaced.
      await database.deleteFrom('mails').where('artist_id', '=', id).execute();
      return deleteArtist(database, id);
    });
    await deleteImageFiles(context, imageIds);
  },
  async client(context, { id, artistId }) {
    await eraseClientAgain(context, artistId, id);
    // A client who was merged into another one, and is not erased with that one, has no appointments.
    await context.database
      .deleteFrom('clients')
      .where('id', '=', id)
      .where('artist_id', '=', artistId)
      .where('merged_into', 'is not', null)
      .execute();
  },
  async appointment(context, { id, artistId }) {
    await change(context, calendarScope(artistId, []), async ({ database }) => {
      const row = await findAppointment(database, artistId, id);
      if (row) await deleteAppointmentRow(database, row);
    });
  },
  async message({ database }, { id, artistId }) {
    const messages = database.deleteFrom('messages').where('artist_id', '=', artistId);
    await messages.where('id', '=', id).execute();
  },
  async image(context, { id, artistId }) {
    await change(context, { invalidates: [] }, async ({ database }) => {
      // The design that shows it is hidden.
      await database
        .updateTable('designs')
        .set({ image_id: null, deleted_at: sql<Date>`coalesce(deleted_at, now())` })
        .where('image_id', '=', id)
        .where('artist_id', '=', artistId)
        .execute();
      for (const kind of ['design', 'portfolio', 'avatar'] as const)
        await deleteImage(database, artistId, kind, id);
    });
    if (!(await findImage(context.database, id))) await deleteImageFiles(context, [id]);
  },
};
