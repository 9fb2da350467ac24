import type { KyselyTransactionLike } from 'pg-boss';

/** Work to do after the response, by any of our servers. `id` is a job's only data. */
type Job =
  /** Sends a stored mail; `id` is the mail's. */
  | { readonly kind: 'mail'; readonly id: string }
  /** Handles a stored event of the payment provider; `id` is the event's. */
  | { readonly kind: 'payment'; readonly id: string }
  /** Cancels the subscriptions of a deleted account; `id` is the provider's customer id. */
  | { readonly kind: 'cancel_subscription'; readonly id: string }
  /** Purges pages from CDNs; `id` is their cache tags, separated by commas. */
  | { readonly kind: 'purge'; readonly id: string };

export type JobKind = Job['kind'];

export interface JobQueue {
  /** Inserts jobs in the caller's transaction, so that they exist once the transaction commits. */
  enqueue(transaction: KyselyTransactionLike, jobs: readonly Job[]): Promise<void>;
}

/** A job may run twice, so running it again must be harmless. */
export interface JobHandlers {
  /** Runs a job by its `id`; called again later if it throws. */
  readonly run: Readonly<Record<JobKind, (id: string) => Promise<void>>>;
  /** Called for a job whose attempts have all failed; called again later if it throws. */
  readonly deadLetter: Readonly<Record<JobKind, (id: string) => Promise<void>>>;
  /** Called every minute, on one server at a time. */
  readonly everyMinute: () => Promise<void>;
  /** Called once a day, on one server at a time. */
  readonly everyDay: () => Promise<void>;
}

/** A queue whose jobs this process can run too. */
export interface JobRunner extends JobQueue {
  start(handlers: JobHandlers): Promise<void>;
  /** Takes no more jobs, waits for the running ones, and closes the connections. */
  stop(): Promise<void>;
}
