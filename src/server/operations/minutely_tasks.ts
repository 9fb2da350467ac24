import { MERGE_UNDO_MS } from '#domain/client_merge.ts';
import { LONGEST_PERIOD_MS } from '#domain/mail_budget.ts';
import { retentionCutoffs } from '#domain/retention.ts';
import { EMAIL_UNDO_MS, SESSION_LIFETIME_MS } from '#domain/security.ts';
import { DAY_MS, HOUR_MS, type Instant } from '#domain/time.ts';
import { deleteOldAdminActions } from '#server/database/admin_actions.ts';
import { fillAgreedTimes, listArtistsWithoutAgreedTimes } from '#server/database/agreed_times.ts';
import { deleteOldNetworks, expireUnreservedHolds } from '#server/database/booking_limits.ts';
import { listArtistsWithExpiredHolds } from '#server/database/calendar.ts';
import { withCalendarLock } from '#server/database/calendar_lock.ts';
import { deleteOldClientEmailChanges } from '#server/database/client_email_changes.ts';
import { deleteOldClientMerges } from '#server/database/client_merges.ts';
import { deleteOldEmailChanges } from '#server/database/email_changes.ts';
import { deleteOldCountedMails } from '#server/database/mail_budgets.ts';
import { wakeDueMails } from '#server/database/mail_waits.ts';
import { deleteFinishedMails } from '#server/database/mails.ts';
import { deleteExpiredPasskeyChallenges } from '#server/database/passkeys.ts';
import { deleteExpiredPasswordRecoveries } from '#server/database/password_recoveries.ts';
import { deleteExpiredCounts } from '#server/database/rate_limits.ts';
import { deleteOldSecurityEvents } from '#server/database/security_events.ts';
import { deleteOldServerErrors } from '#server/database/server_errors.ts';
import { deleteOldSessions } from '#server/database/sessions.ts';
import { deleteOldStudioChanges } from '#server/database/studio_changes.ts';
import { SCHEDULES } from '#server/jobs/jobs.ts';
import type { Context } from './context.ts';
import { expireHolds } from './expire_holds.ts';
import { deleteExpiredExports } from './exports.ts';
import { updateCalendar } from './invalidating.ts';
import { enqueueDueReminders } from './reminders.ts';
import { deleteRemovedImages } from './store_images.ts';

/** How long we remember from which network a request or a message came, for limits and blocking. */
const NETWORK_RETENTION_MS = 30 * 24 * HOUR_MS;

/** How long the link of a client's new email can be used. */
const CLIENT_EMAIL_CHANGE_MS = 7 * DAY_MS;

const SECURITY_EVENT_RETENTION_MS = 365 * DAY_MS;

const ADMIN_ACTION_RETENTION_MS = 365 * DAY_MS;

const SERVER_ERROR_RETENTION_MS = 14 * DAY_MS;

/** Does work that no request starts. Several of our servers may do it concurrently. */
export async function runMinutelyTasks(context: Context, now: Instant): Promise<void> {
  const { database } = context;
  const runOrLog = async (task: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      context.log.error(
        { err: error, component: 'Minutely tasks' },
        `${task} failed (retried next minute)`,
      );
      context.recordError(error, { queue: SCHEDULES.everyMinute });
    }
  };
  // A hold is a time that a client must confirm by a deadline.
  await runOrLog('Listing expired holds', async () => {
    for (const artistId of await listArtistsWithExpiredHolds(database, now))
      await runOrLog('Releasing expired holds', () =>
        updateCalendar(context, artistId, (transaction) =>
          expireHolds(context, transaction, artistId, 'all', now),
        ),
      );
  });
  await runOrLog('Expiring holds without a time', () => expireUnreservedHolds(database, now));
  await runOrLog('Listing unknown agreed times', async () => {
    for (const artistId of await listArtistsWithoutAgreedTimes(database, now))
      await runOrLog('Storing agreed times', () =>
        withCalendarLock(database, artistId, (transaction) =>
          fillAgreedTimes(transaction, artistId, now),
        ),
      );
  });
  await runOrLog('Queueing reminders', () => enqueueDueReminders(context, now));
  // Those of deleted accounts should not wait for the daily retention.
  await runOrLog('Deleting old mails', () =>
    deleteFinishedMails(database, retentionCutoffs(context.retention, now).mails),
  );
  await runOrLog('Deleting old networks', () =>
    deleteOldNetworks(database, now - NETWORK_RETENTION_MS),
  );
  await runOrLog('Sending mails that waited', () => enqueueDueMails(context, now));
  await runOrLog('Deleting old counts of mails', () =>
    deleteOldCountedMails(database, now - LONGEST_PERIOD_MS),
  );
  await runOrLog('Deleting old counts of limits', () => deleteExpiredCounts(database, now));
  await runOrLog('Deleting expired recovery links', () =>
    deleteExpiredPasswordRecoveries(database, now),
  );
  await runOrLog('Deleting expired challenges of passkeys', () =>
    deleteExpiredPasskeyChallenges(database, now),
  );
  await runOrLog('Deleting old sessions', () =>
    deleteOldSessions(database, now - SESSION_LIFETIME_MS),
  );
  await runOrLog('Deleting old changes of emails', async () => {
    await deleteOldEmailChanges(database, now - EMAIL_UNDO_MS);
    await deleteOldClientEmailChanges(database, now - CLIENT_EMAIL_CHANGE_MS);
  });
  await runOrLog('Deleting old security events', () =>
    deleteOldSecurityEvents(database, now - SECURITY_EVENT_RETENTION_MS),
  );
  await runOrLog('Deleting old actions of superusers', () =>
    deleteOldAdminActions(database, now - ADMIN_ACTION_RETENTION_MS),
  );
  await runOrLog('Deleting old errors', () =>
    deleteOldServerErrors(database, now - SERVER_ERROR_RETENTION_MS),
  );
  await runOrLog('Deleting old changes of studios', () =>
    deleteOldStudioChanges(database, now - HOUR_MS),
  );
  await runOrLog('Deleting old merges of clients', () =>
    deleteOldClientMerges(database, now - MERGE_UNDO_MS - HOUR_MS),
  );
  await runOrLog('Deleting the files of deleted images', () => deleteRemovedImages(context));
  await runOrLog('Deleting expired exports', () => deleteExpiredExports(context, now));
}

/** Enqueues jobs for the mails whose wait is over. */
async function enqueueDueMails({ database, jobs }: Context, now: Instant): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const ids = await wakeDueMails(transaction, now);
    const mailJobs = ids.map((id) => ({ kind: 'mail', id }) as const);
    await jobs.enqueue(transaction, mailJobs);
  });
}
