/** After a backup was restored: deletes again what was deleted after the backup was made. */
import type { ErasureKind } from '#domain/erasure.ts';
import { deleteArtist, lockArtistForDeletion } from '#server/database/accounts.ts';
import { deleteAppointment, selectAppointmentsOfArtist } from '#server/database/appointments.ts';
import { withCalendarLock } from '#server/database/calendar_lock.ts';
import * as erasure from '#server/database/erasure.ts';
import { listReturned, type Returned } from '#server/database/erasures.ts';
import { findImage } from '#server/database/images.ts';
import { deleteMessage } from '#server/database/messages.ts';
import { deleteImage } from '#server/database/removed_images.ts';
import type { Context } from './context.ts';
import { eraseClientAgain } from './erase_client.ts';
import { deleteImageFiles } from './store_images.ts';

/**
 * Deletes every row that the table `erasures` lists and that exists again, with the same statements as the
 * first time, and mails nobody. Repeating it is harmless: without such rows it changes nothing.
 * @returns how many were deleted, by kind
 */
export async function replayErasures(context: Context): Promise<Record<ErasureKind, number>> {
  const counts = { artist: 0, client: 0, appointment: 0, message: 0, image: 0 };
  for (const returned of await listReturned(context.database)) {
    await HANDLERS[returned.kind](context, returned);
    counts[returned.kind] += 1;
  }
  return counts;
}

/** Each does nothing if the row is gone, for example with its artist. */
const HANDLERS: {
  readonly [Kind in ErasureKind]: (context: Context, returned: Returned) => Promise<void>;
} = {
  async artist(context, { id }) {
    const imageIds = await withCalendarLock(context.database, id, async (transaction) => {
      await lockArtistForDeletion(transaction, id);
      // Also those that are queued for clients: they were sent, or informed of the deletion, at that time.
      await erasure.deleteAllMailsOfArtist(transaction, id);
      return deleteArtist(transaction, id);
    });
    await deleteImageFiles(context, imageIds);
  },
  async client(context, { id, artistId }) {
    await eraseClientAgain(context, artistId, id);
    // A client who was merged into another one, and is not erased with that one.
    await context.database
      .transaction()
      .execute((transaction) => erasure.deleteMergedClient(transaction, artistId, id));
  },
  async appointment({ database }, { id, artistId }) {
    await withCalendarLock(database, artistId, async (transaction) => {
      const row = await selectAppointmentsOfArtist(transaction, artistId)
        .where('appointments.id', '=', id)
        .executeTakeFirst();
      if (row) await deleteAppointment(transaction, row);
    });
  },
  async message({ database }, { id, artistId }) {
    await deleteMessage(database, artistId, id);
  },
  async image(context, { id, artistId }) {
    await context.database.transaction().execute(async (transaction) => {
      await erasure.removePictureOfDesign(transaction, artistId, id);
      for (const kind of ['design', 'portfolio', 'avatar'] as const)
        await deleteImage(transaction, artistId, kind, id);
    });
    if (!(await findImage(context.database, id))) await deleteImageFiles(context, [id]);
  },
};
