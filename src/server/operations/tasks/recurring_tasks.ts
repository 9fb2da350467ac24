import { EMAIL_UNDO_MS, SESSION_LIFETIME_MS } from '#domain/accounts/security.ts';
import { MERGE_UNDO_MS } from '#domain/clients/client_merge.ts';
import { Refusal } from '#domain/refusal.ts';
import { LONGEST_PERIOD_MS } from '#domain/requests/limits.ts';
import { retentionCutoffs } from '#domain/retention.ts';
import { DAY_MS, HOUR_MS, type Instant } from '#domain/time/time.ts';
import { fillNextAgreedTimes } from '#server/database/agreed_times.ts';
import { deleteOldNetworks } from '#server/database/booking_limits.ts';
import { listArtistsWithExpiredHolds } from '#server/database/calendar.ts';
import { deleteOldEmailChanges } from '#server/database/email_changes.ts';
import { deleteOlderThan, inBatches } from '#server/database/in_batches.ts';
import { deleteOldCountedMails } from '#server/database/mail_budgets.ts';
import { wakeDueMails } from '#server/database/mail_waits.ts';
import { deleteFinishedMails } from '#server/database/mails.ts';
import { deleteExpiredCounts } from '#server/database/rate_limits.ts';
import { deleteOldServerErrors } from '#server/database/server_errors.ts';
import { expireHolds, expireUnreservedHolds } from '../appointments/expire_holds.ts';
import { deleteRemovedImages } from '../catalogue/store_images.ts';
import { calendarScope, change } from '../change.ts';
import type { Context } from '../context.ts';
import { deleteExpiredExports } from '../expired_exports.ts';
import { enqueueMails } from '../mail/notify.ts';
import { enqueueDueReminders } from '../mail/reminders.ts';
import { reconcileSubscriptions } from '../payments/reconcile_subscriptions.ts';
import { deleteOldSiteAssets } from '../site_assets.ts';
import { enqueueMissingAvif } from '../studio/encode_avif.ts';
import { deleteOldData } from './retention.ts';

/** How long we remember from which network a request or a message came, for limits and blocking. */
const NETWORK_RETENTION_MS = 30 * DAY_MS;

/** How long the link of a client's new email can be used. */
const CLIENT_EMAIL_CHANGE_MS = 7 * DAY_MS;

const YEAR_MS = 365 * DAY_MS;

const SERVER_ERROR_RETENTION_MS = 14 * DAY_MS;

/** How long a change of a studio or a merge of clients stays after it can no longer be undone. */
const AFTER_UNDO_MS = HOUR_MS;

/** How many tasks a job begins at a time: connections are left for requests. */
const CONCURRENT_TASKS = 3;
/** How long a job waits for its tasks. A slow one goes on; those that have not begun are left to the next job. */
const MAX_WAIT_MS = 50_000;

/** For how long holds are released. */
const MAX_RELEASE_MS = 30_000;

/** How often a task runs, which is also the name of its queue. */
type Period = 'minute' | 'day';

/** For the log line of a task that failed. */
const NEXT_RUN: Readonly<Record<Period, string>> = { minute: 'next minute', day: 'tomorrow' };

/** The names of the tasks that run in this process. */
const runningTasks = new WeakMap<Context, Set<string>>();

/**
 * Runs all tasks of a period, each on its own: a slow one delays neither the others nor the next call, which leaves
 * out those that still run here. Several of our servers may do it concurrently.
 * @returns when all are done, or after `MAX_WAIT_MS`
 */
export async function runTasks(context: Context, period: Period, now: Instant): Promise<void> {
  const running = runningTasks.get(context) ?? new Set();
  runningTasks.set(context, running);
  // All runners take their next task from this one iterator.
  const waiting = Object.entries(recurringTasks(context, now)[period]).values();
  let isOver = false;
  const runWaiting = async () => {
    for (const [name, work] of waiting) {
      if (isOver) return;
      if (running.has(name)) continue;
      running.add(name);
      await runOrLog(context, period, name, work).finally(() => running.delete(name));
    }
  };
  const { promise: waited, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    const message = `Tasks take long (others go on): ${[...running].join(', ')}`;
    context.log.warn({ component: 'Tasks' }, message);
    isOver = true;
    resolve();
  }, MAX_WAIT_MS);
  await Promise.race([waited, Promise.all(Array.from({ length: CONCURRENT_TASKS }, runWaiting))]);
  clearTimeout(timer);
}

/**
 * Work that no request starts, by its period and its name in the log. The tasks of a period begin in this
 * order: people wait for the first ones.
 */
export function recurringTasks(
  context: Context,
  now: Instant,
): Record<Period, Record<string, () => Promise<unknown>>> {
  const { database } = context;
  return {
    minute: {
      'Releasing expired holds': () => releaseExpiredHolds(context, now),
      'Queueing reminders': () => enqueueDueReminders(context, now),
      'Sending mails that waited': () => inBatches(() => enqueueDueMails(context, now)),
      'Expiring holds without a time': () => expireUnreservedHolds(context, now),
      'Storing agreed times': () => inBatches(() => storeAgreedTimes(context, now)),
      // Those of deleted accounts should not wait for the daily retention.
      'Deleting old mails': () =>
        deleteFinishedMails(database, retentionCutoffs(context.retention, now).mails),
      'Deleting old networks': () => deleteOldNetworks(database, now - NETWORK_RETENTION_MS),
      'Deleting old counts of mails': () =>
        deleteOldCountedMails(database, now - LONGEST_PERIOD_MS),
      'Deleting old counts of limits': () => deleteExpiredCounts(database, now),
      'Deleting expired recovery links': () =>
        deleteOlderThan(database, 'password_recoveries', 'expires_at', now),
      'Deleting expired challenges of passkeys': () =>
        deleteOlderThan(database, 'passkey_challenges', 'expires_at', now),
      'Deleting old sessions': () =>
        deleteOlderThan(database, 'sessions', 'last_used_at', now - SESSION_LIFETIME_MS),
      'Deleting old changes of emails': () => deleteOldEmailChanges(database, now - EMAIL_UNDO_MS),
      "Deleting old changes of clients' emails": () =>
        deleteOlderThan(
          database,
          'client_email_changes',
          'requested_at',
          now - CLIENT_EMAIL_CHANGE_MS,
        ),
      'Deleting old security events': () =>
        deleteOlderThan(database, 'security_events', 'happened_at', now - YEAR_MS),
      'Deleting old actions of superusers': () =>
        deleteOlderThan(database, 'admin_actions', 'happened_at', now - YEAR_MS),
      'Deleting old errors': () => deleteOldServerErrors(database, now - SERVER_ERROR_RETENTION_MS),
      'Deleting old changes of studios': () =>
        deleteOlderThan(database, 'studio_changes', 'undo_until', now - AFTER_UNDO_MS),
      'Deleting old merges of clients': () =>
        deleteOlderThan(
          database,
          'client_merges',
          'merged_at',
          now - MERGE_UNDO_MS - AFTER_UNDO_MS,
        ),
      'Deleting the files of deleted images': () => deleteRemovedImages(context),
      'Deleting expired exports': () => deleteExpiredExports(context, now),
    },
    day: {
      'Comparing subscriptions': () => compareSubscriptions(context),
      'Deleting the files of old builds': () => deleteOldSiteAssets(database, now),
      'Deleting old data': () => deleteOldData(context, now),
      'Finding pictures without AVIF': () => enqueueMissingAvif(context),
    },
  };
}

async function runOrLog(
  context: Context,
  period: Period,
  name: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    // The adapter of the payment provider has logged it.
    if (error instanceof Refusal && error.reason === 'billing_unreachable') return;
    const message = `${name} failed (trying again ${NEXT_RUN[period]})`;
    context.log.error({ err: error, component: 'Tasks' }, message);
    context.recordError(error, { queue: period });
  }
}

/**
 * A hold is a time that a client must confirm by a deadline. A failure for one artist stops no other. After some
 * seconds, the other artists wait for the next minute: their expired holds block no times for clients.
 */
async function releaseExpiredHolds(context: Context, now: Instant): Promise<void> {
  const end = performance.now() + MAX_RELEASE_MS;
  for (const artistId of await listArtistsWithExpiredHolds(context.database, now)) {
    if (performance.now() > end) return;
    await runOrLog(context, 'minute', 'Releasing expired holds', () =>
      change(context, calendarScope(artistId), (context) =>
        expireHolds(context, artistId, 'all', now),
      ),
    );
  }
}

/** Stores what clocks show at the times of appointments that older servers have stored without it. @returns how many */
function storeAgreedTimes(context: Context, now: Instant): Promise<number> {
  return change(context, { invalidates: [] }, ({ database }) => fillNextAgreedTimes(database, now));
}

/** Enqueues jobs for mails whose wait is over. @returns how many */
async function enqueueDueMails(context: Context, now: Instant): Promise<number> {
  return change(context, { invalidates: [] }, async (context) => {
    const ids = await wakeDueMails(context.database, now);
    await enqueueMails(context, ids);
    return ids.length;
  });
}

/** Compares subscriptions with the payment provider's while billing is on, and logs each difference. */
async function compareSubscriptions(context: Context): Promise<void> {
  if (!context.payments) return;
  for (const { message } of await reconcileSubscriptions(context))
    context.log.warn({ component: 'Subscriptions' }, message);
}
