import { Refusal } from '#domain/refusal.ts';
import { readClock } from '#server/database/clock.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { deliverMail, giveUpMail } from './deliver.ts';
import type { Parts } from './parts.ts';
import { endPaymentsOf, handlePayment } from './payments.ts';
import type { Purging } from './purging.ts';
import { reconcile } from './reconcile.ts';
import { sweepSiteAssets } from './site_assets.ts';
import { sweep } from './sweep.ts';

/** What each job comes to. */
export function createHandlers(
  parts: Parts,
  { purgeLate }: Pick<Purging, 'purgeLate'>,
): JobHandlers {
  const { log } = parts;
  /** Nobody else tells why a job failed. */
  const telling = async <T>(what: string, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      // That the card provider is away has been told already.
      if (!(error instanceof Refusal)) log(`${what}: ${error}`);
      throw error;
    }
  };
  return {
    run: {
      mail: (id) => deliverMail(parts, id, Date.now()),
      payment: (id) => telling('A payment event was not handled', handlePayment(parts, id)),
      leaver: (customer) =>
        telling('The payments of a customer were not ended', endPaymentsOf(parts, customer)),
      purge: (tags) => telling('A cache in front was not purged', purgeLate(tags)),
    },
    givenUp: {
      mail: (id) => giveUpMail(parts, id),
      payment: async (id) => log(`A payment event was given up: ${id}`),
      leaver: async (customer) => log(`The payments of a customer could not be ended: ${customer}`),
      purge: async (tags) => log(`Caches in front were not purged of: ${tags}`),
    },
    everyMinute: async () => sweep(parts, await readClock(parts.database)),
    everyDay: async () => {
      if (parts.payments)
        for (const { what } of await telling('Subscriptions were not compared', reconcile(parts)))
          log(what);
      await telling(
        'Site: deleting the files of old builds failed',
        sweepSiteAssets(parts.database, await readClock(parts.database)),
      );
    },
  };
}
