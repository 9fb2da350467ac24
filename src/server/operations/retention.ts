import { retentionCutoffs } from '#domain/retention.ts';
import type { Instant } from '#domain/time.ts';
import { deleteOldDetails } from '#server/database/erasure.ts';
import { deleteOldMessages } from '#server/database/messages.ts';
import { deleteOldPaymentEvents } from '#server/database/payment_events.ts';
import type { Context } from './context.ts';

/**
 * Deletes the personal data whose time is over (docs/privacy.md): details of past appointments, messages,
 * payment events, and copies of mails in the outbox. The minutely tasks delete the mails themselves. A
 * deletion that fails is logged, and neither that nor a slow one holds up the others.
 */
export async function deleteOldData(context: Context, now: Instant): Promise<void> {
  const { database, mailer, log } = context;
  const cutoffs = retentionCutoffs(context.retention, now);
  const deleteBefore = async (
    what: string,
    before: Instant | null,
    work: (before: Instant) => Promise<number>,
  ) => {
    if (before === null) return;
    try {
      const count = await work(before);
      if (count > 0) log.info({ component: 'Retention', count }, `Deleted old ${what}`);
    } catch (error) {
      log.error(
        { err: error, component: 'Retention' },
        `Deleting old ${what} failed (trying again tomorrow)`,
      );
    }
  };
  await Promise.all([
    deleteBefore('messages', cutoffs.messages, (at) => deleteOldMessages(database, at)),
    deleteBefore('payment events', cutoffs.paymentEvents, (at) =>
      deleteOldPaymentEvents(database, at),
    ),
    deleteBefore('copies of mails', cutoffs.mails, async (at) => {
      await mailer.deleteOldCopies?.(at);
      return 0;
    }),
    deleteBefore('details of appointments', cutoffs.appointmentDetails, (at) =>
      deleteOldDetails(database, at),
    ),
  ]);
}
