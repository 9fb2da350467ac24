import { HOUR_MS, type Instant, MINUTE_MS } from '#domain/time.ts';
import { findAppointments } from '#server/database/appointments.ts';
import { listArtistsWithLapsed } from '#server/database/calendar.ts';
import { deleteSettledMails } from '#server/database/mails.ts';
import {
  endReminderSweep,
  listDueReminders,
  takeReminderSweep,
} from '#server/database/reminders.ts';
import type { Context } from './context.ts';
import { updateCalendar } from './invalidating.ts';
import { releaseLapsed } from './lapsed.ts';
import { factsOf, queueMails } from './notify.ts';

/** How long the studio shows what was sent. */
const KEPT_FOR = 180 * 24 * HOUR_MS;
/** By then a live server has finished a picture that was uploaded to it, or is far behind. */
const PICTURE_LEFT_AFTER = 2 * MINUTE_MS;

/**
 * What time alone brings about: holds and offers that have lapsed, reminders that are due, mails
 * that are no longer kept, pictures that a killed server left unfinished. Several servers may do it at once.
 */
export async function sweep(context: Context, now: Instant): Promise<void> {
  const trying = async (what: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      // The next minute tries again; what comes after this does not wait for it.
      context.log(`${what}: ${error}`);
    }
  };
  await trying('Lapsed holds were not found', async () => {
    for (const artistId of await listArtistsWithLapsed(context.database, now))
      await trying('Lapsed holds were not released', () =>
        updateCalendar(context, artistId, (transaction) =>
          releaseLapsed(context, transaction, artistId, null, now),
        ),
      );
  });
  await trying('Reminders were not queued', () => queueReminders(context, now));
  await trying('Old mails were not deleted', () =>
    deleteSettledMails(context.database, now - KEPT_FOR),
  );
  context.finisher.adopt(now - PICTURE_LEFT_AFTER);
}

/** Has clients reminded whose time has come since reminders were last looked for. */
async function queueReminders(context: Context, now: Instant): Promise<void> {
  await context.database.transaction().execute(async (transaction) => {
    const from = await takeReminderSweep(transaction, now);
    // Another server's clock may be ahead.
    if (now <= from) return;
    const due = await listDueReminders(transaction, from, now);
    const rows = await findAppointments(transaction, [...due.keys()]);
    const mails = rows.flatMap((row) => {
      const [hours, address] = [due.get(row.id), row.email];
      if (hours === undefined || address === null) return [];
      const notice = { kind: 'reminder', appointment: factsOf(row, true), hours } as const;
      return [{ notice, address, artistId: row.artist_id }];
    });
    await queueMails(context, transaction, mails);
    await endReminderSweep(transaction, now);
  });
}
