import { Refusal } from '#domain/refusal.ts';
import type { PurgeRetry } from '#server/cache/purge_retry.ts';
import { loadDatabaseTime } from '#server/database/clock.ts';
import type { Context } from '#server/operations/context.ts';
import { deliverMail, failMail } from '#server/operations/deliver_mail.ts';
import { runMinutelyTasks } from '#server/operations/minutely_tasks.ts';
import { cancelSubscriptions, handlePaymentEvent } from '#server/operations/payments.ts';
import { reconcileSubscriptions } from '#server/operations/reconcile_subscriptions.ts';
import { deleteOldSiteAssets } from '#server/operations/site_assets.ts';
import type { JobHandlers } from './jobs.ts';

export function createJobHandlers(
  context: Context,
  purgeRetry: Pick<PurgeRetry, 'purgeInJob'>,
): JobHandlers {
  const { log, database } = context;
  /** Logs and rethrows an error: the queue logs none. Mails and minutely tasks log their own. */
  const logFailure = async <T>(message: string, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      // A refusal: billing is off, or the payment provider failed, which its adapter has logged.
      if (!(error instanceof Refusal)) log(`${message}: ${error}`);
      throw error;
    }
  };
  return {
    run: {
      mail: (id) => deliverMail(context, id, Date.now()),
      payment: (id) =>
        logFailure(
          'Jobs: handling a payment event failed (trying again)',
          handlePaymentEvent(context, id),
        ),
      cancel_subscription: (customer) =>
        logFailure(
          'Jobs: cancelling the subscription of a deleted account failed (trying again)',
          cancelSubscriptions(context, customer),
        ),
      purge: (tags) =>
        logFailure(
          'Jobs: purging a CDN failed (trying again)',
          purgeRetry.purgeInJob(tags.split(',')),
        ),
    },
    deadLetter: {
      mail: (id) => failMail(context, id),
      payment: async (id) => log(`Jobs: a payment event was given up after two days: ${id}`),
      cancel_subscription: async (customer) =>
        log(
          `Jobs: a deleted account may still be charged: cancelling failed for two days: ${customer}`,
        ),
      purge: async (tags) =>
        log(
          `Jobs: CDNs may serve old pages until they expire: purging failed for two days: ${tags}`,
        ),
    },
    everyMinute: async () => runMinutelyTasks(context, await loadDatabaseTime(database)),
    everyDay: async () => {
      if (context.payments) {
        const differences = await logFailure(
          'Jobs: comparing subscriptions failed (trying again tomorrow)',
          reconcileSubscriptions(context),
        );
        for (const { message } of differences) log(message);
      }
      await logFailure(
        'Site: deleting the files of old builds failed',
        deleteOldSiteAssets(database, await loadDatabaseTime(database)),
      );
    },
  };
}
