import { Refusal } from '#domain/refusal.ts';
import { readClock } from '#server/database/clock.ts';
import type { JobHandlers } from '#server/jobs/jobs.ts';
import { deliverMail, giveUpMail } from './deliver.ts';
import type { Parts } from './parts.ts';
import { endPaymentsOf, handlePayment } from './payments.ts';
import { reconcile } from './reconcile.ts';
import { sweep } from './sweep.ts';

/** What each job comes to. */
export function createHandlers(parts: Parts): JobHandlers {
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
    },
    givenUp: {
      mail: (id) => giveUpMail(parts, id),
      payment: async (id) => log(`A payment event was given up: ${id}`),
      leaver: async (customer) => log(`The payments of a customer could not be ended: ${customer}`),
    },
    everyMinute: async () => sweep(parts, await readClock(parts.database)),
    everyDay: async () => {
      if (!parts.payments) return;
      for (const { what } of await telling('Subscriptions were not compared', reconcile(parts)))
        log(what);
    },
  };
}
