import { HOUR_MS, type Instant, MINUTE_MS } from '#domain/time.ts';
import { listAppointmentsByIds } from '#server/database/appointments.ts';
import { listArtistsWithExpiredHolds } from '#server/database/calendar.ts';
import { deleteFinishedMails } from '#server/database/mails.ts';
import {
  listDueReminders,
  lockReminderSweep,
  updateReminderSweep,
} from '#server/database/reminders.ts';
import type { Context } from './context.ts';
import { expireHolds } from './expire_holds.ts';
import { updateCalendar } from './invalidating.ts';
import { enqueueMails, toAppointmentFacts } from './notify.ts';

/** How long the studio shows what was sent. */
const MAIL_RETENTION_MS = 180 * 24 * HOUR_MS;
/** By then a live server has finished a picture that was uploaded to it, or is far behind. */
const ABANDONED_IMAGE_MS = 2 * MINUTE_MS;

/**
 * What time alone brings about: holds and offers that have lapsed, reminders that are due, mails
 * that are no longer kept, pictures that a killed server left unfinished. Several servers may do it at once.
 */
export async function runMinutelyTasks(context: Context, now: Instant): Promise<void> {
  const trying = async (what: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      // The next minute tries again; what comes after this does not wait for it.
      context.log(`${what}: ${error}`);
    }
  };
  await trying('Lapsed holds were not found', async () => {
    for (const artistId of await listArtistsWithExpiredHolds(context.database, now))
      await trying('Lapsed holds were not released', () =>
        updateCalendar(context, artistId, (transaction) =>
          expireHolds(context, transaction, artistId, null, now),
        ),
      );
  });
  await trying('Reminders were not queued', () => enqueueReminders(context, now));
  await trying('Old mails were not deleted', () =>
    deleteFinishedMails(context.database, now - MAIL_RETENTION_MS),
  );
  context.avifConverter.adopt(now - ABANDONED_IMAGE_MS);
}

/** Has clients reminded whose time has come since reminders were last looked for. */
async function enqueueReminders(context: Context, now: Instant): Promise<void> {
  await context.database.transaction().execute(async (transaction) => {
    const from = await lockReminderSweep(transaction, now);
    // Another server's clock may be ahead.
    if (now <= from) return;
    const due = await listDueReminders(transaction, from, now);
    const rows = await listAppointmentsByIds(transaction, [...due.keys()]);
    const mails = rows.flatMap((row) => {
      const [hours, address] = [due.get(row.id), row.email];
      if (hours === undefined || address === null) return [];
      const notice = {
        kind: 'reminder',
        appointment: toAppointmentFacts(row, true),
        hours,
      } as const;
      return [{ notice, address, artistId: row.artist_id }];
    });
    await enqueueMails(context, transaction, mails);
    await updateReminderSweep(transaction, now);
  });
}
