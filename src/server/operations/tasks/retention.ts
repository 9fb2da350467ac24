import { type RawBuilder, sql } from 'kysely';
import { retentionCutoffs } from '#domain/retention.ts';
import type { Instant } from '#domain/time/time.ts';
import { NO_DETAILS } from '#server/database/client_erasure.ts';
import type { Transaction } from '#server/database/connect.ts';
import { countChanged, inParts } from '#server/database/in_batches.ts';
import { deleteOldPaymentEvents } from '#server/database/payment_events.ts';
import { change } from '../change.ts';
import type { Context } from '../context.ts';

/**
 * Deletes the personal data whose time is over (docs/privacy.md): details of past appointments, messages,
 * payment events, and copies of mails in the outbox. A task of every minute deletes the mails themselves. The
 * deletions run side by side; one that fails is logged, and does not end the others.
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
    deleteBefore('messages', cutoffs.messages, (at) =>
      inParts(database, 'messages', (isInPart) =>
        countChanged(
          database,
          sql`DELETE FROM messages WHERE ${isInPart} AND created_at < ${new Date(at)}`,
        ),
      ),
    ),
    deleteBefore('payment events', cutoffs.paymentEvents, (at) =>
      deleteOldPaymentEvents(database, at),
    ),
    deleteBefore('copies of mails', cutoffs.mails, async (at) => {
      await mailer.deleteOldCopies?.(at);
      return 0;
    }),
    deleteBefore('details of appointments', cutoffs.appointmentDetails, (at) =>
      deleteOldDetails(context, at),
    ),
  ]);
}

/**
 * An appointment with one of these has details to delete. Private notes alone do not count: those of a session
 * ahead are stored in all past sessions of its project, too.
 */
const DECIDING_DETAILS = sql.join(
  Object.keys(NO_DETAILS)
    .filter((name) => name !== 'private_notes')
    .map((name) => sql.ref(name)),
);

/**
 * Deletes the details of appointments that were over before an instant: the client's details beside
 * their name, and the texts of both sides. Times, states, services and designs stay.
 * @returns how many appointments had such details
 */
function deleteOldDetails(context: Context, before: Instant): Promise<number> {
  return inParts(context.database, 'appointments', (isInPart) =>
    change(context, { invalidates: [] }, ({ database }) =>
      deleteDetailsOfPart(database, isInPart, before),
    ),
  );
}

/** Deletes the details of a part of the appointments. @returns how many appointments had some */
async function deleteDetailsOfPart(
  transaction: Transaction,
  isInPart: RawBuilder<boolean>,
  before: Instant,
): Promise<number> {
  const date = new Date(before);
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM appointments
    WHERE ${isInPart} AND status NOT IN ('requested', 'held', 'offered') AND updated_at < ${date}
      AND NOT EXISTS (SELECT FROM appointment_times
        WHERE appointment_id = appointments.id AND upper(during) >= ${date}) AND (
      num_nonnulls(${DECIDING_DETAILS}) > 0
      OR EXISTS (SELECT FROM appointment_events
        WHERE appointment_id = appointments.id AND note IS NOT NULL)
    )
    FOR NO KEY UPDATE
  `.execute(transaction);
  if (rows.length === 0) return 0;
  const ids = sql<string>`any(${rows.map(({ id }) => id)}::uuid[])`;
  await transaction.updateTable('appointments').set(NO_DETAILS).where('id', '=', ids).execute();
  await transaction
    .updateTable('appointment_events')
    .set({ note: null })
    .where('appointment_id', '=', ids)
    .where('note', 'is not', null)
    .execute();
  return rows.length;
}
