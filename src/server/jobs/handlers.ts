import type { Logger } from 'pino';
import { Refusal } from '#domain/refusal.ts';
import type { PurgeRetry } from '#server/cache/purge_retry.ts';
import { loadDatabaseTime } from '#server/database/clock.ts';
import { queueRecoveryMail } from '#server/operations/accounts/password_recovery.ts';
import type { Context } from '#server/operations/context.ts';
import { failExport, runExport } from '#server/operations/exports/export_job.ts';
import { queueLinksMail } from '#server/operations/mail/appointment_links.ts';
import { deliverMail, failMail } from '#server/operations/mail/deliver_mail.ts';
import {
  handlePaymentEvent,
  requirePaymentProvider,
} from '#server/operations/payments/payments.ts';
import { encodeAvif } from '#server/operations/studio/encode_avif.ts';
import { runTasks } from '#server/operations/tasks/recurring_tasks.ts';
import { type JobData, type JobHandlers, type JobKind, parseJobData } from './jobs.ts';
import { queueOf } from './queue.ts';

/** What is done with the jobs of one kind. */
interface Handler<Data> {
  /** The name of the task in the log line of a failure; null when the operation logs its own. */
  readonly task: string | null;
  readonly run: (data: Data, signal: AbortSignal) => Promise<void>;
  /** Called when all attempts of a job have failed. */
  readonly giveUp: (data: Data) => Promise<void>;
}

/**
 * Creates the functions that run our jobs, parse their data before, and log and record what fails.
 * @param mailContext the context of mails, with the database on their own connection
 */
export function createJobHandlers(
  context: Context,
  mailContext: Context,
  purgeRetry: Pick<PurgeRetry, 'purgeInJob'>,
): JobHandlers {
  const log = context.log.child({ component: 'Jobs' });
  const handlers = createHandlers(context, mailContext, purgeRetry, log);
  const parse = <Kind extends JobKind>(kind: Kind, data: unknown): JobData[Kind] => {
    const result = parseJobData(kind, data);
    if (result.success) return result.data;
    log.error({ kind }, 'The data of a job has an unknown form (trying again, on any server)');
    throw result.error;
  };
  const run = async <Kind extends JobKind>(kind: Kind, stored: unknown, signal: AbortSignal) => {
    const handler: Handler<JobData[Kind]> = handlers[kind];
    const data = parse(kind, stored);
    try {
      await handler.run(data, signal);
    } catch (error) {
      if (handler.task !== null && !isExpected(error)) {
        log.error({ err: error }, `${handler.task} failed (trying again)`);
        context.recordError(error, { queue: queueOf(kind) });
      }
      throw error;
    }
  };
  const giveUp = async <Kind extends JobKind>(kind: Kind, stored: unknown) => {
    const handler: Handler<JobData[Kind]> = handlers[kind];
    await handler.giveUp(parse(kind, stored));
  };
  const runScheduled = async (period: 'minute' | 'day') => {
    try {
      await runTasks(context, period, await loadDatabaseTime(context.database));
    } catch (error) {
      log.error({ err: error }, 'Reading the database clock for recurring tasks failed');
      context.recordError(error, { queue: period });
      throw error;
    }
  };
  return { run, giveUp, minute: () => runScheduled('minute'), day: () => runScheduled('day') };
}

/** Whether billing is off, or the payment provider is unavailable, which its adapter has logged. */
function isExpected(error: unknown): boolean {
  return (
    error instanceof Refusal &&
    (error.reason === 'billing_off' || error.reason === 'billing_unreachable')
  );
}

function createHandlers(
  context: Context,
  mailContext: Context,
  purgeRetry: Pick<PurgeRetry, 'purgeInJob'>,
  log: Logger,
): { readonly [Kind in JobKind]: Handler<JobData[Kind]> } {
  return {
    mail: {
      task: null,
      run: ({ id, job }) => deliverMail(mailContext, id, Date.now(), job),
      giveUp: ({ id, job }) => failMail(mailContext, id, job),
    },
    password_recovery: {
      task: 'Queueing a recovery mail',
      run: (data) => queueRecoveryMail(context, data),
      // The data contains an email address, so it must not be logged.
      giveUp: async () => log.error('A recovery mail was not sent: queueing failed for two days'),
    },
    links: {
      task: 'Queueing a mail with links',
      run: (data) => queueLinksMail(context, data, Date.now()),
      giveUp: async () => log.error('A mail with links was not sent: queueing failed for two days'),
    },
    payment: {
      task: 'Handling a payment event',
      run: ({ id }) => handlePaymentEvent(context, id),
      giveUp: async ({ id }) =>
        log.error({ payment_event_id: id }, 'A payment event was given up after two days'),
    },
    cancel_subscription: {
      task: 'Cancelling the subscription of a deleted account',
      run: ({ id }) => requirePaymentProvider(context).cancelSubscriptions(id),
      giveUp: async ({ id }) =>
        log.error(
          { customer_id: id },
          'A deleted account may still be charged: cancelling failed for two days',
        ),
    },
    purge: {
      task: 'Purging a CDN',
      run: ({ tags }) => purgeRetry.purgeInJob(tags),
      giveUp: async ({ tags }) =>
        log.error(
          { tags },
          'CDNs may serve old pages until they expire: purging failed for two days',
        ),
    },
    encode_avif: {
      task: 'Encoding a picture as AVIF',
      run: ({ imageId }, signal) => encodeAvif(context, imageId, signal),
      giveUp: async ({ imageId }) =>
        log.error(
          { image_id: imageId },
          'A picture is served as WebP only: encoding AVIF failed (tried again tomorrow)',
        ),
    },
    export: {
      task: 'Exporting the data of an artist',
      run: ({ exportId }, signal) => runExport(context, exportId, signal),
      giveUp: async ({ exportId }) => {
        await failExport(context, exportId);
        log.error({ export_id: exportId }, 'An export failed (its artist can try again)');
      },
    },
  };
}
