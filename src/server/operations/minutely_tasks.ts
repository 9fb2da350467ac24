import { MERGE_UNDO_MS } from '#domain/client_merge.ts';
import { LONGEST_PERIOD_MS } from '#domain/mail_budget.ts';
import { retentionCutoffs } from '#domain/retention.ts';
import { EMAIL_UNDO_MS, SESSION_LIFETIME_MS } from '#domain/security.ts';
import { DAY_MS, HOUR_MS, type Instant } from '#domain/time.ts';
import { fillAgreedTimes, listArtistsWithoutAgreedTimes } from '#server/database/agreed_times.ts';
import { deleteOldNetworks, expireUnreservedHolds } from '#server/database/booking_limits.ts';
import { listArtistsWithExpiredHolds } from '#server/database/calendar.ts';
import { withCalendarLock } from '#server/database/calendar_lock.ts';
import { deleteOldClientEmailChanges } from '#server/database/client_email_changes.ts';
import { deleteOldEmailChanges } from '#server/database/email_changes.ts';
import { inBatches } from '#server/database/in_batches.ts';
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
import { deleteOldClientMerges } from './client_merges.ts';
import { deleteOldAdminActions } from './admin_actions.ts';
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

/** How many tasks run at a time: a slow one keeps no other waiting, and requests keep their connections. */
const CONCURRENT_TASKS = 4;

/** Does work that no request starts. Several of our servers may do it concurrently. */
export async function runMinutelyTasks(context: Context, now: Instant): Promise<void> {
  const waiting = Object.entries(minutelyTasks(context, now)).values();
  const runWaiting = async () => {
    for (const [task, work] of waiting) await runOrLog(context, task, work);
  };
  await Promise.all(Array.from({ length: CONCURRENT_TASKS }, runWaiting));
}

/** The tasks in the order in which they begin: people wait for the first ones. */
function minutelyTasks(context: Context, now: Instant) {
  const { database } = context;
  return {
    // A hold is a time that a client must confirm by a deadline.
    'Listing expired holds': async () => {
      for (const artistId of await listArtistsWithExpiredHolds(database, now))
        await runOrLog(context, 'Releasing expired holds', () =>
          updateCalendar(context, artistId, (transaction) =>
            expireHolds(context, transaction, artistId, 'all', now),
          ),
        );
    },
    'Queueing reminders': () => enqueueDueReminders(context, now),
    'Sending mails that waited': () => inBatches(() => enqueueDueMails(context, now)),
    'Expiring holds without a time': () => expireUnreservedHolds(database, now),
    'Listing unknown agreed times': async () => {
      for (const artistId of await listArtistsWithoutAgreedTimes(database, now))
        await runOrLog(context, 'Storing agreed times', () =>
          withCalendarLock(database, artistId, (transaction) =>
            fillAgreedTimes(transaction, artistId, now),
          ),
        );
    },
    // Those of deleted accounts should not wait for the daily retention.
    'Deleting old mails': () =>
      deleteFinishedMails(database, retentionCutoffs(context.retention, now).mails),
    'Deleting old networks': () => deleteOldNetworks(database, now - NETWORK_RETENTION_MS),
    'Deleting old counts of mails': () => deleteOldCountedMails(database, now - LONGEST_PERIOD_MS),
    'Deleting old counts of limits': () => deleteExpiredCounts(database, now),
    'Deleting expired recovery links': () => deleteExpiredPasswordRecoveries(database, now),
    'Deleting expired challenges of passkeys': () => deleteExpiredPasskeyChallenges(database, now),
    'Deleting old sessions': () => deleteOldSessions(database, now - SESSION_LIFETIME_MS),
    'Deleting old changes of emails': () => deleteOldEmailChanges(database, now - EMAIL_UNDO_MS),
    "Deleting old changes of clients' emails": () =>
      deleteOldClientEmailChanges(database, now - CLIENT_EMAIL_CHANGE_MS),
    'Deleting old security events': () =>
      deleteOldSecurityEvents(database, now - SECURITY_EVENT_RETENTION_MS),
    'Deleting old actions of superusers': () =>
      deleteOldAdminActions(database, now - ADMIN_ACTION_RETENTION_MS),
    'Deleting old errors': () => deleteOldServerErrors(database, now - SERVER_ERROR_RETENTION_MS),
    'Deleting old changes of studios': () => deleteOldStudioChanges(database, now - HOUR_MS),
    'Deleting old merges of clients': () =>
      deleteOldClientMerges(database, now - MERGE_UNDO_MS - HOUR_MS),
    'Deleting the files of deleted images': () => deleteRemovedImages(context),
    'Deleting expired exports': () => deleteExpiredExports(context, now),
  };
}

async function runOrLog(context: Context, task: string, work: () => Promise<unknown>) {
  try {
    await work();
  } catch (error) {
    context.log.error(
      { err: error, component: 'Minutely tasks' },
      `${task} failed (retried next minute)`,
    );
    context.recordError(error, { queue: SCHEDULES.everyMinute });
  }
}

/** Enqueues jobs for mails whose wait is over. @returns how many */
async function enqueueDueMails({ database, jobs }: Context, now: Instant): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const ids = await wakeDueMails(transaction, now);
    const mailJobs = ids.map((id) => ({ kind: 'mail', id }) as const);
    await jobs.enqueue(transaction, mailJobs);
    return ids.length;
  });
}
