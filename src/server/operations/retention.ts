import { retentionCutoffs } from '#domain/retention.ts';
import type { Instant } from '#domain/time.ts';
import { deleteOldDetails } from '#server/database/erasure.ts';
import { deleteFinishedMails } from '#server/database/mails.ts';
import { deleteOldMessages } from '#server/database/messages.ts';
import { deleteOldPaymentEvents } from '#server/database/payment_events.ts';
import type { Context } from './context.ts';

/**
 * Deletes the personal data whose time is over (docs/privacy.md): details of past appointments, messages,
 * mails with their copies in the outbox, and payment events.
 */
export async function deleteOldData(context: Context, now: Instant): Promise<void> {
  const { database, log } = context;
  const cutoffs = retentionCutoffs(context.retention, now);
  const { appointmentDetails, messages, paymentEvents } = cutoffs;
  const deleted = {
    'details of appointments':
      appointmentDetails === null ? 0 : await deleteOldDetails(database, appointmentDetails),
    messages: messages === null ? 0 : await deleteOldMessages(database, messages),
    mails: await deleteOldMails(context, now),
    'payment events':
      paymentEvents === null ? 0 : await deleteOldPaymentEvents(database, paymentEvents),
  };
  const counts = Object.entries(deleted).filter(([, count]) => count > 0);
  if (counts.length > 0)
    log(`Retention: deleted ${counts.map(([what, count]) => `${count} ${what}`).join(', ')}`);
}

/**
 * Deletes old mails, those of deleted accounts at once, and their copies in the outbox.
 * @returns how many
 */
export async function deleteOldMails(
  { database, mailer, retention }: Pick<Context, 'database' | 'mailer' | 'retention'>,
  now: Instant,
): Promise<number> {
  const ids = await deleteFinishedMails(database, retentionCutoffs(retention, now).mails);
  await mailer.deleteCopies?.(ids);
  return ids.length;
}
